import { type Dialect, hasMath, isMdx, toMath } from './dialect.ts'
import { findTagProblem } from './find-tag-problem.ts'
import type { PageProblem, SyntaxFault } from './page-content.ts'
import { type ParsedPage, parsePage } from './parse-page.ts'
import { TooIntricate } from './too-intricate.ts'

interface SyntaxReading {
  readonly problems: readonly PageProblem[]
  /** Null if the page does not parse. */
  readonly page: ParsedPage | null
  /** Reason why the page was not parsed, as part of a sentence; null if it was. */
  readonly unread: string | null
}

/**
 * Parses a page into its events and its first syntax error. Plain Markdown has no syntax errors. A
 * plugin may add or remove formulas, so an error counts only if the page has one with and without.
 * Synchronous CPU work, about 2 s per MB.
 */
export function readSyntax(text: string, dialect: Dialect): SyntaxReading {
  const reading = readOnce(text, dialect)
  if (reading.problems.length === 0) return reading
  const other = readOnce(text, toMath(dialect, !hasMath(dialect)))
  return other.page !== null && other.problems.length === 0 ? other : reading
}

function readOnce(text: string, dialect: Dialect): SyntaxReading {
  const fail = (line: number | null, message: string, page: ParsedPage | null): SyntaxReading => ({
    // The parser stops at its first error, which an edit can move or replace. The subject is empty,
    // so that all syntax errors of a page count as the same problem.
    problems: [{ code: 'mdx_syntax', line, subject: '', message: `MDX does not parse: ${message}` }],
    page,
    unread: null,
  })
  let page: ParsedPage
  try {
    page = parsePage(text, dialect)
  } catch (error) {
    if (error instanceof TooIntricate) return { problems: [], page: null, unread: error.message }
    if (!isMdx(dialect)) return { problems: [], page: null, unread: 'it does not parse' }
    const { line, message } = toFault(error)
    return fail(line, message, null)
  }
  const fault = isMdx(dialect) ? findTagProblem(page.events) : null
  return fault === null ? { problems: [], page, unread: null } : fail(fault.line, fault.message, page)
}

interface ParserMessage {
  readonly reason: string
  readonly line?: number | null
}

function toFault(error: unknown): SyntaxFault {
  if (!isParserMessage(error)) return { line: null, message: 'the parser cannot read this page.' }
  const hint = /before name|before attribute name|character `</i.test(error.reason)
    ? ' If this is not a tag, write "<" as "&lt;" or put it in backticks.'
    : /expression/i.test(error.reason)
      ? ' If this is not an expression, write "{" as "\\{" or put it in backticks.'
      : ''
  return { line: error.line ?? null, message: `${error.reason.split('\n', 1)[0]}.${hint}`.replace(/\.\.+/g, '.') }
}

function isParserMessage(error: unknown): error is ParserMessage {
  return error instanceof Error && 'reason' in error && typeof error.reason === 'string'
}
