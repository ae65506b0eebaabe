const OPENING = /^([ \t]*)(?:!!!|\?\?\?\+?|===!?\+?)[ \t]+["\w]/
/** Matches a line with a tag whose content Python-Markdown reads as Markdown. A tag with an id stays. */
const MARKDOWN_TAG =
  /^[ \t]*<[a-z](?=[^<>]{0,500}[ \t]markdown[ \t=>])(?![^<>]{0,500}[ \t](?:id|name)=)[^<>]{0,500}>[ \t]*$/
const CODE_FENCE = /^[ \t]*(`{3,}|~{3,})/

/**
 * Unindents the content of admonitions and tabs. Python-Markdown indents it by four columns, which
 * other parsers treat as code. Opening lines, and tags whose content is Markdown, become empty lines,
 * so that links and headings are found and line numbers stay the same.
 */
export function unfoldBlocks(text: string): string {
  if (!/^[ \t]*(?:(?:!!!|\?\?\?|===)[+!]{0,2}[ \t]+["\w]|<[a-z][^<>\n]{0,500}[ \t]markdown[ \t=>])/m.test(text))
    return text
  const open: number[] = []
  let codeFence: string | null = null
  const lines = text.split('\n').map((line) => {
    if (line.trim() === '') return line
    const indent = line.length - line.trimStart().length
    if (codeFence === null) while (open.length > 0 && indent < (open.at(-1) ?? 0) + 4) open.pop()
    const inner = line.slice(Math.min(indent, open.length * 4))
    const mark = CODE_FENCE.exec(inner)?.[1]
    if (mark !== undefined) {
      if (codeFence === null) codeFence = mark
      else if (mark.startsWith(codeFence)) codeFence = null
    } else if (codeFence === null && open.length < 20 && OPENING.test(line)) {
      open.push(indent)
      return ''
    } else if (codeFence === null && MARKDOWN_TAG.test(line)) return ''
    return inner
  })
  return lines.join('\n')
}
