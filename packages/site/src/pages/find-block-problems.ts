import type { PageProblem } from './page-content.ts'
import type { ParserEvent } from './parser-event.ts'

const OPENING = /^[ \t]{0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]{0,10}[A-Za-z{]/
const DELIMITER_ROW =
  /^(?=[^|]{0,500}\|)[ \t]{0,9}\|?[ \t]{0,99}:?-{1,999}:?[ \t]{0,99}(?:\|[ \t]{0,99}:?-{1,999}:?[ \t]{0,99}){0,99}\|?[ \t]{0,99}$/
const NO_TABLE =
  'The row of dashes has another number of columns than the header above it, so this is not shown as a table.'
const MAX_PROBLEMS = 100

/**
 * Returns blocks that do not have the form that their author intended: code that is not closed
 * and tables without a valid delimiter row.
 * @param lines number of lines of the page, without blank lines at the end
 */
export function findBlockProblems(events: readonly ParserEvent[], lines: number): PageProblem[] {
  const problems: PageProblem[] = []
  const add = (code: string, line: number, subject: string, message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ code, line, subject, message })
  }
  let fence: Fence | null = null
  for (const [when, token, context] of events) {
    const { type } = token
    if (type === 'codeFenced') {
      if (when === 'enter') fence = { line: token.start.line, mark: '', fences: 0, inner: null }
      else if (fence !== null) {
        const isOpen = fence.fences < 2 && token.end.line >= lines
        if (isOpen || fence.inner !== null) addFence(add, fence, isOpen)
        fence = null
      }
    } else if (fence !== null && when === 'enter') {
      if (type === 'codeFencedFence') fence.fences += 1
      else if (type === 'codeFencedFenceSequence' && fence.mark === '') fence.mark = context.sliceSerialize(token)
      else if (type === 'codeFlowValue' && fence.inner === null) {
        const mark = OPENING.exec(context.sliceSerialize(token))?.[1]
        if (mark?.startsWith(fence.mark)) fence.inner = token.start.line
      }
    } else if (type === 'paragraph' && when === 'enter') {
      const line = findDelimiterRow(context.sliceSerialize(token))
      if (line !== null) add('table_broken', token.start.line + line, '', NO_TABLE)
    }
  }
  return problems
}

/** Returns the index of the first line that looks like the second row of a table, or null. */
function findDelimiterRow(paragraph: string): number | null {
  if (!paragraph.includes('|') || !paragraph.includes('-')) return null
  const lines = paragraph.split('\n')
  const row = lines.findIndex((line, n) => n > 0 && DELIMITER_ROW.test(line) && lines[n - 1]?.includes('|'))
  return row === -1 ? null : row
}

interface Fence {
  readonly line: number
  /** The characters of the opening fence. */
  mark: string
  /** Number of fences: 2 if the block is closed. */
  fences: number
  /** First line that looks like the opening fence of another block. */
  inner: number | null
}

function addFence(
  add: (code: string, line: number, subject: string, message: string) => void,
  { line, mark, inner }: Fence,
  isOpen: boolean,
): void {
  const message = isOpen
    ? `The code block is not closed. Add a line "${mark}" after the code.`
    : `The code block contains the start of another one in line ${inner}. Close it before that line, or open it with a longer fence.`
  add('fence_unclosed', line, '', message)
}
