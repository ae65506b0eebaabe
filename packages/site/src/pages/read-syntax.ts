import type { Dialect } from './dialect.ts'
import { findIntricacy } from './find-intricacy.ts'
import { findTagProblem } from './find-tag-problem.ts'
import type { PageProblem, SyntaxFault } from './page-content.ts'
import { type ParsedPage, parsePage } from './parse-page.ts'

export interface SyntaxReading {
  readonly problems: readonly PageProblem[]
  /** Null if the page does not parse. */
  readonly page: ParsedPage | null
}

/**
 * Parses a page into its events and its first syntax error. Plain Markdown has no syntax errors.
 * Synchronous CPU work, about 2 s per MB.
 */
export function readSyntax(text: string, dialect: Dialect): SyntaxReading {
  const fail = (code: string, line: number | null, message: string, page: ParsedPage | null): SyntaxReading => ({
    // The parser stops at its first error, which an edit can move or replace. The subject is empty,
    // so that all syntax errors of a page count as the same problem.
    problems: [{ check: 'syntax', code, line, subject: '', message }],
    page,
  })
  const intricacy = dialect === 'plain' ? null : findIntricacy(text)
  if (intricacy !== null) return fail('page_too_intricate', null, `The page cannot be checked: ${intricacy}.`, null)
  let page: ParsedPage
  try {
    page = parsePage(text, dialect)
  } catch (error) {
    if (dialect === 'plain') return { problems: [], page: null }
    const { line, message } = toFault(error)
    return fail('mdx_syntax', line, `MDX does not parse: ${message}`, null)
  }
  const fault = dialect === 'plain' ? null : findTagProblem(page.events)
  return fault === null
    ? { problems: [], page }
    : fail('mdx_syntax', fault.line, `MDX does not parse: ${fault.message}`, page)
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
