import { docusaurus } from '../frameworks/docusaurus/docusaurus.ts'
import { fern } from '../frameworks/fern/fern.ts'
import type { Framework } from '../frameworks/framework.ts'
import { gitbook } from '../frameworks/gitbook/gitbook.ts'
import { hugo } from '../frameworks/hugo/hugo.ts'
import { mdbook } from '../frameworks/mdbook/mdbook.ts'
import { mintlify } from '../frameworks/mintlify/mintlify.ts'
import { mkdocs } from '../frameworks/mkdocs/mkdocs.ts'
import { nextra } from '../frameworks/nextra/nextra.ts'
import { sphinx } from '../frameworks/sphinx/sphinx.ts'
import { starlight } from '../frameworks/starlight/starlight.ts'
import { vitepress } from '../frameworks/vitepress/vitepress.ts'

/**
 * All detectable frameworks, in detection order. The order matters in two cases. A match for a
 * detection with `yields` is ignored if it is inside the content of a site detected earlier. Sites
 * in the same folder are described in this order. Add a new framework at the end, unless it also
 * matches the files of another framework and must be detected before it. `plain` is the fallback
 * and is not included.
 */
export const ALL_FRAMEWORKS: readonly Framework[] = [
  mintlify,
  docusaurus,
  mkdocs,
  vitepress,
  starlight,
  fern,
  nextra,
  mdbook,
  gitbook,
  hugo,
  sphinx,
]
