import { docusaurus } from '../frameworks/docusaurus/docusaurus.ts'
import { fern } from '../frameworks/fern/fern.ts'
import type { Framework } from '../frameworks/framework.ts'
import { gitbook } from '../frameworks/gitbook/gitbook.ts'
import { mdbook } from '../frameworks/mdbook/mdbook.ts'
import { mintlify } from '../frameworks/mintlify/mintlify.ts'
import { mkdocs } from '../frameworks/mkdocs/mkdocs.ts'
import { nextra } from '../frameworks/nextra/nextra.ts'
import { starlight } from '../frameworks/starlight/starlight.ts'
import { vitepress } from '../frameworks/vitepress/vitepress.ts'

/** Every framework that is detected, in the order in which their configuration files are looked for. */
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
]
