import { buildScan } from './build-scan.ts'
import { listAdocCode } from './list-adoc-code.ts'
import { listMarkdownCode } from './list-markdown-code.ts'
import { listRstCode } from './list-rst-code.ts'
import type { PageCode } from './page-code.ts'
import type { PagePlace } from './page-place.ts'

/**
 * Lists the directives of a page that run code, insert text without processing it, or include files
 * from outside the documentation. Examples in code blocks are also listed, because a block can end
 * earlier than it seems to.
 */
export function listDirectives(text: string, place: PagePlace): readonly PageCode[] {
  const scan = buildScan(text, place)
  const isRst = /\.rst$/i.test(place.path)
  if (isRst) listRstCode(scan)
  else if (/\.adoc$/i.test(place.path)) listAdocCode(scan)
  if (place.isTemplate || !/\.(?:rst|adoc)$/i.test(place.path)) listMarkdownCode(scan)
  return scan.found
}
