import type { Scan } from './build-scan.ts'
import { readDelimited } from './read-block.ts'

const PASS_LINE = /^\+{4,}[ \t]*$/gm
const PASS_TEXT = /\bpass:[\w,]{0,50}\[[^\n]*|\+\+\+[^+\n][^\n]*/gm
const PASS_BLOCK = /^\[(?:pass\b|[^\]\n]{0,500}\bstyle[ \t]*=[ \t]*["']?pass\b)/gm
/** Document attributes that load scripts, styles and files, or that enable code. */
const ATTRIBUTE =
  /^(?:docinfo\w*|data-uri|allow-uri-read|scriptsdir|stylesdir|stylesheet|linkcss|copycss|iconsdir|webfonts|(?:kroki|plantuml|ditaa|graphviz|mermaid|diagram)[\w-]*)$/i
const HIGHLIGHTER = /highlight|prettify|mathjax|prism|rouge|pygments/i
const ANY_ATTRIBUTE = /(?:^:|\{set:)!?([\w-]+)([:}](?:[ \t]*(?:https?:)?\/\/)?)/gim
const SUBSTITUTIONS = /^\[[^\n]{0,500}\bsubs[ \t]*=[ \t]*(?:"([^"\n]{0,200})"|'([^'\n]{0,200})'|([\w+,-]{0,200}))/gm
/** Also in conditions and cells, whose text is processed as lines. */
const INCLUDE = /(?<![\\\w])include::([^[\n]{1,500})\[/g
const PLANTUML_INCLUDE = /^[ \t]*!(?:include(?:url|sub|_many|_once)?|import)[ \t]+([^\n]{1,1000})/gim

/** Lists the code of a page in AsciiDoc. */
export function listAdocCode(scan: Scan): void {
  const { text } = scan
  listPassBlocks(scan)
  for (const { 0: source, index } of text.matchAll(PASS_TEXT)) scan.run(index, source)
  listAttributes(scan)
  for (const { index } of text.matchAll(PASS_BLOCK))
    scan.run(
      index,
      scan.readBlock(() => readDelimited(text, index)),
    )
  for (const { index, ...values } of text.matchAll(SUBSTITUTIONS)) {
    if (keepsMarkup((values[1] ?? values[2] ?? values[3] ?? '').trim()))
      scan.run(
        index,
        scan.readBlock(() => readDelimited(text, index)),
      )
  }
  for (const pattern of [INCLUDE, PLANTUML_INCLUDE]) {
    for (const { 1: href = '', index } of text.matchAll(pattern)) scan.include(index, href.trim())
  }
}

/** Lists attributes with the rest of their line. */
function listAttributes({ text, run }: Scan): void {
  let end = 0
  for (const { 1: name = '', 2: mark = '', index } of text.matchAll(ANY_ATTRIBUTE)) {
    const isFolder = /dir$/i.test(name) && HIGHLIGHTER.test(name)
    const isActive = ATTRIBUTE.test(name) || isFolder || (/^imagesdir$/i.test(name) && /^:.*\//.test(mark))
    if (index < end || !isActive) continue
    const next = text.indexOf('\n', index)
    end = next === -1 ? text.length : next
    run(index, text.slice(index, end))
  }
}

/**
 * Lists the blocks of unprocessed text. Which of the delimiters open a block is not determined,
 * because other blocks can contain delimiters. Without markup of HTML, they contain formulas.
 */
function listPassBlocks({ text, run }: Scan): void {
  const lines = [...text.matchAll(PASS_LINE)].map(({ 0: line, index }) => ({ start: index, end: index + line.length }))
  for (const [at, { start, end }] of lines.entries()) {
    const next = lines[at + 1]
    const block = text.slice(end, next === undefined ? text.length : next.start)
    if (/<[a-z!/?]/i.test(block)) run(start, `++++${block}`)
  }
}

/** Returns true if a block's substitutions leave markup of HTML in it. */
function keepsMarkup(list: string): boolean {
  if (/-[ \t]*(?:specialc\w*|normal|verbatim|[cnv])(?![a-z])/.test(list)) return true
  if (list.includes('+')) return false
  return !/(?:^|[,\s])(?:specialc\w*|normal|verbatim|[cnv])(?:$|[,\s])/.test(list)
}
