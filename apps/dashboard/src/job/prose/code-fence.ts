const CODE_FENCE = /^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+|>\s?)*(`{3,}|~{3,})\s*(.*)$/

/**
 * A line that opens or closes a block of code. `info` follows the fence; a closing fence has none.
 */
export interface CodeFence {
  readonly sign: string
  readonly info: string
}

/** Finds the code fence on a line, even inside a list item or a quote. Returns null if there is none. */
export function findCodeFence(line: string): CodeFence | null {
  const [, sign, info = ''] = CODE_FENCE.exec(line) ?? []
  return sign === undefined || (sign.startsWith('`') && info.includes('`')) ? null : { sign, info: info.trim() }
}

export function isClosing(line: string, open: CodeFence): boolean {
  const codeFence = findCodeFence(line)
  return codeFence !== null && codeFence.info === '' && codeFence.sign.startsWith(open.sign)
}
