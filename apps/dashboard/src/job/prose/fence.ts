const FENCE = /^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+|>\s?)*(`{3,}|~{3,})\s*(.*)$/

/** A line that opens or closes a block of code. `info` follows the fence; a closing fence has none. */
export interface Fence {
  readonly sign: string
  readonly info: string
}

/** The fence on this line, also within a list item or a quote; null when there is none. */
export function findFence(line: string): Fence | null {
  const [, sign, info = ''] = FENCE.exec(line) ?? []
  return sign === undefined || (sign.startsWith('`') && info.includes('`')) ? null : { sign, info: info.trim() }
}

export function isClosing(line: string, open: Fence): boolean {
  const fence = findFence(line)
  return fence !== null && fence.info === '' && fence.sign.startsWith(open.sign)
}
