import { findCodeFence } from './literal.ts'

/** The context at the start of an excerpt of a document. */
export interface Beginning {
  /** True if the excerpt starts within a fenced code block. */
  readonly isInCode: boolean
  /** True if the excerpt starts with or within front matter. */
  readonly isInMatter: boolean
}

/** Maximum length of front matter, in lines. */
const MAX_MATTER = 60

/**
 * Estimates the context of a hunk's first line. An opening fence usually names a language and
 * follows an empty line, and a closing fence never names one. Returns null if the line is as likely
 * to be inside a code block as outside.
 * @param start 1-based number of the first line
 */
export function findBeginning(lines: readonly string[], start: number): Beginning | null {
  if (isMatter(lines, start)) return { isInMatter: true, isInCode: false }
  if (start <= 1) return { isInMatter: false, isInCode: false }
  const outside = countOddities(lines, false)
  const inside = countOddities(lines, true)
  if (outside === inside) return null
  return { isInMatter: false, isInCode: inside < outside }
}

function isMatter(lines: readonly string[], start: number): boolean {
  if (start <= 1) return lines[0]?.trim() === '---' && lines.length > 1
  const end = lines.findIndex((line) => line.trim() === '---')
  if (end < 0 || start + end > MAX_MATTER) return false
  const before = lines.slice(0, end)
  return before.some((line) => /^[\w-]+:/.test(line)) && before.every((line) => /^(?:[\w-]+:|\s|-\s|#|$)/.test(line))
}

function countOddities(lines: readonly string[], startsInCode: boolean): number {
  let isInCode = startsInCode
  let odd = startsInCode ? 1 : 0
  for (const [index, line] of lines.entries()) {
    const codeFence = findCodeFence(line)
    if (codeFence === null) continue
    if (isInCode && codeFence.info !== '') {
      odd += 3
      continue
    }
    if (!isInCode) {
      if (codeFence.info === '') odd += 1
      if (!isBlank(lines[index - 1])) odd += 0.5
    } else if (!isBlank(lines[index + 1])) odd += 0.5
    isInCode = !isInCode
  }
  return odd
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''
