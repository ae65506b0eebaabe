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

/**
 * All detected frameworks, in the order in which their configuration files are searched. The order
 * matters in two cases. A match of a detection that `yields` is dropped inside the content of a
 * framework found earlier. The sites of one folder are described in this order. Append a new
 * framework, unless it must be found before one whose files it also matches. `plain` is not
 * included: it is the fallback.
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
]
