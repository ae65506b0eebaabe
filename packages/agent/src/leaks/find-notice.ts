const LEGAL =
  /licen[sc]ed? (?:under|to)|spdx-license|copyright|\(c\)\s*\d{4}|all rights reserved|permission is hereby granted|warrant(?:y|ies)|redistribution and use|@license|@copyright/i
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|"""|'''|<!--|;|%|\{-)/

export interface Notice {
  /** 0-based numbers of lines, end exclusive. */
  readonly from: number
  readonly to: number
  readonly isLegal: boolean
}

/**
 * Returns the comment that a line belongs to, or the line alone if it is not in a comment. Comments
 * about licenses and copyright are the same in many files and repositories.
 */
export function findNotice(lines: readonly string[], index: number): Notice {
  const isPart = (at: number) => COMMENT.test(lines[at] ?? 'x') || lines[at]?.trim() === ''
  if (!isPart(index)) return { from: index, to: index + 1, isLegal: false }
  let from = index
  while (from > 0 && isPart(from - 1)) from -= 1
  while (from < index && lines[from]?.trim() === '') from += 1
  let to = index + 1
  while (to < lines.length && isPart(to)) to += 1
  return { from, to, isLegal: LEGAL.test(lines.slice(from, to).join('\n')) }
}
