import { gitbookSite, mdbookSite } from './books.ts'
import { docusaurusSite } from './docusaurus.ts'
import { fernSite } from './fern.ts'
import { mintlifySite } from './mintlify.ts'
import { mkdocsSite } from './mkdocs.ts'
import { monorepoSite } from './monorepo.ts'
import { nextraSite } from './nextra.ts'
import { plainSite } from './plain.ts'
import { starlightSite } from './starlight.ts'
import { vitepressSite } from './vitepress.ts'

/** A repository of documentation per framework, path to text. Nothing in them is broken. */
export function buildSiteFixtures() {
  return {
    mintlify: mintlifySite(),
    docusaurus: docusaurusSite(),
    mkdocs: mkdocsSite(),
    vitepress: vitepressSite(),
    starlight: starlightSite(),
    nextra: nextraSite(),
    mdbook: mdbookSite(),
    gitbook: gitbookSite(),
    fern: fernSite(),
    plain: plainSite(),
    monorepo: monorepoSite(),
  } satisfies Record<string, Record<string, string>>
}
