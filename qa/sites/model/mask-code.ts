/** Matches functions of MDX, whose strings may contain Markdown. */
const FUNCTION = /^export (?:default )?(?:async )?function\b[\s\S]*?^\}/gm

/**
 * Returns the text of a page with front matter, code and comments, also those of MyST that start
 * with %, replaced by spaces of the same length, so that positions stay valid.
 */
export function maskCode(written: string): string {
  const text = written.replaceAll(FUNCTION, blank).replaceAll(/^%[^\n]*/gm, blank)
  const front = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?=\r?\n|$)/.exec(text)?.[0] ?? ''
  let fence: string | null = null
  const lines = text.slice(front.length).split('\n')
  const body = lines.map((line) => {
    const [, mark = ''] = /^(?:[ \t>]|[-*+][ \t]|\d+[.)][ \t])*(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === null) {
      if (mark === '' || (mark.startsWith('`') && line.slice(line.indexOf(mark) + mark.length).includes('`')))
        return line
      fence = mark
      return blank(line)
    }
    const isEnd = mark.startsWith(fence) && /^[`~]+\s*$/.test(line.slice(line.indexOf(mark)))
    if (isEnd) fence = null
    return blank(line)
  })
  return (
    blank(front) +
    body
      .join('\n')
      .replaceAll(/(?<![`\\])(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?(?<!`)\1(?!`)/g, blank)
      .replaceAll(/<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|<(script|style|pre)\b[\s\S]*?<\/\1>/g, blank)
  )
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
