import type { Scan } from './build-scan.ts'
import { readIndented } from './read-block.ts'

/**
 * Names of directives that run code, evaluate expressions or insert text without processing it, in
 * reStructuredText and MyST.
 */
export const RUNNING_DIRECTIVES =
  'raw|eval(?:-rst)?|exec(?:[_-]\\w+)?|code-cell|jupyter-execute|ipython|ifconfig|program-output|command-output|' +
  'runblock|plot|bokeh-plot|altair-plot|pyvista-plot|nbplot|jinja|datatemplate(?::\\w+)?|argparse|autoprogram|' +
  'testcode|testsetup|testcleanup'

/** Docutils treats all of these as spaces. */
const S = '[ \\t\\v\\f]'
/** The start of a directive, also in lists, tables and substitutions, which contain blocks. */
const START = `\\.\\.${S}+(?:\\|[^|\\n]{1,200}\\|${S}+)?`
/** A directive's argument can start in the next line. */
const ARGUMENT = `${S}?::${S}*(?:\\n${S}+)?([^\\n]{1,1000})`

const RUNS = new RegExp(
  `${START}(?:(?:${RUNNING_DIRECTIVES})${S}?::|role${S}?::[^\\n]{0,200}\\(${S}*raw${S}*\\))`,
  'gi',
)
const INCLUDES = [
  new RegExp(`${START}(?:include|literalinclude)${ARGUMENT}`, 'gi'),
  new RegExp(`${START}(?:graphviz|uml|mermaid)${S}?::${S}*([^\\s][^\\n]{0,1000})`, 'gi'),
  /:download:`(?:[^`<]{0,500}<)?([^`<>]{1,1000})>?`/gi,
]
const TABLE = new RegExp(`${START}csv-table${S}?::`, 'gi')
const TABLE_FILE = new RegExp(`:(?:file|url):${S}*(?:\\n${S}+)?([^\\n]{1,1000})`, 'gi')

/**
 * Lists the code of a text in reStructuredText: the page, or a part of it.
 * @param start offset of the part in the page
 */
export function listRstCode(scan: Scan, text: string = scan.text, start = 0): void {
  for (const { index } of text.matchAll(RUNS))
    scan.run(
      start + index,
      scan.readBlock(() => readIndented(text, index)),
    )
  for (const pattern of INCLUDES) {
    for (const { 1: href = '', index } of text.matchAll(pattern)) scan.include(start + index, href.trim())
  }
  for (const { index } of text.matchAll(TABLE)) {
    const block = scan.readBlock(() => readIndented(text, index))
    if (block === null) scan.run(start + index, null)
    for (const [, href = ''] of block?.matchAll(TABLE_FILE) ?? []) scan.include(start + index, href.trim())
  }
}
