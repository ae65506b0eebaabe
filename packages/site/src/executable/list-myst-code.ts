import type { Scan } from './build-scan.ts'
import { listRstCode, RUNNING_DIRECTIVES } from './list-rst-code.ts'
import { readFenced } from './read-block.ts'

/** Marks of quotes and lists, which contain blocks. */
export const CONTAINER = '[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t][ \\t>]*){0,9}'
const FENCE = `^${CONTAINER}(?:\`{3,}|:{3,}|~{3,})[ \\t]*`

const RUNS = new RegExp(`${FENCE}\\{(${RUNNING_DIRECTIVES})\\}`, 'gim')
const ROLES = /\{role\}[^\n]{0,200}\([ \t]*raw[ \t]*\)|\{eval\}`[^`]{1,1000}`/gi
const INCLUDES = [
  new RegExp(`${FENCE}\\{(?:include|literalinclude)\\}[ \\t]*([^\\n]{1,1000})$`, 'gim'),
  new RegExp(`${FENCE}\\{(?:graphviz|uml|mermaid)\\}[ \\t]*([^\\s][^\\n]{0,1000})$`, 'gim'),
  /\{download\}`(?:[^`<]{0,500}<)?([^`<>]{1,1000})>?`/gi,
]
const TABLE = new RegExp(`${FENCE}\\{csv-table\\}`, 'gim')
/** Options are written as fields or as YAML. */
const TABLE_FILE = /^[ \t>]*:?(?:file|url):[ \t]*["']?([^\n"']{1,1000})/gim

/** Lists the code of a page in MyST, except substitutions. */
export function listMystCode(scan: Scan): void {
  const { text } = scan
  for (const { 1: name = '', index } of text.matchAll(RUNS)) {
    const block = scan.readBlock(() => readFenced(text, index))
    const isRst = block !== null && name.toLowerCase() === 'eval-rst'
    // Its content is text with directives of its own.
    scan.run(index, isRst ? name : block)
    if (isRst) listRstCode(scan, block, text.lastIndexOf('\n', index) + 1)
  }
  for (const { 0: source, index } of text.matchAll(ROLES)) scan.run(index, source)
  for (const pattern of INCLUDES) {
    for (const { 1: href = '', index } of text.matchAll(pattern)) scan.include(index, href.trim())
  }
  for (const { index } of text.matchAll(TABLE)) {
    const block = scan.readBlock(() => readFenced(text, index))
    if (block === null) scan.run(index, null)
    for (const [, href = ''] of block?.matchAll(TABLE_FILE) ?? []) scan.include(index, href.trim())
  }
}
