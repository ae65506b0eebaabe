const LEGAL =
  /licen[sc]ed? (?:under|to)|spdx-license|copyright|\(c\)\s*\d{4}|all rights reserved|permission is hereby granted|warrant(?:y|ies)|redistribution and use|@license|@copyright/i
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|"""|'''|<!--|;|%|\{-)/

/**
 * Returns the 0-based numbers of the lines in comments about licenses and copyright. They are the
 * same in many files and repositories.
 */
export function findNotices(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  let from = -1
  for (let index = 0; index <= lines.length; index += 1) {
    const line = lines[index]
    if (line !== undefined && (COMMENT.test(line) || (from !== -1 && line.trim() === ''))) {
      if (from === -1) from = index
      continue
    }
    if (from !== -1 && LEGAL.test(lines.slice(from, index).join('\n'))) {
      for (let at = from; at < index; at += 1) found.add(at)
    }
    from = -1
  }
  return found
}
