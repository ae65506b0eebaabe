const CODE_FENCE = /^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+|>\s?)*(`{3,}|~{3,})\s*(.*)$/

/**
 * A line that opens or closes a code block. `info` is the text after the fence, which is empty for
 * a closing fence.
 */
export interface CodeFence {
  readonly sign: string
  readonly info: string
}

/**
 * Returns the code fence on a line, which can be inside a list item or a quote, or null if the line
 * has no code fence.
 */
export function findCodeFence(line: string): CodeFence | null {
  const [, sign, info = ''] = CODE_FENCE.exec(line) ?? []
  return sign === undefined || (sign.startsWith('`') && info.includes('`')) ? null : { sign, info: info.trim() }
}

export function isClosing(line: string, open: CodeFence): boolean {
  const codeFence = findCodeFence(line)
  return codeFence !== null && codeFence.info === '' && codeFence.sign.startsWith(open.sign)
}
