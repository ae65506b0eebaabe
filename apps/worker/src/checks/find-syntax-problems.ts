import { parse, postprocess, preprocess } from 'micromark'
import { directive } from 'micromark-extension-directive'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'
import { mdxjs } from 'micromark-extension-mdxjs'
import type { Dialect } from '../agent/detect-framework.ts'
import { findTagProblem, type ParserEvent } from './find-tag-problem.ts'
import type { Problem } from './problem.ts'

/**
 * The first MDX syntax fault of a page; an empty list when it parses. Plain Markdown has no syntax errors: anything is valid.
 * Synchronous CPU work, about 2 s per MB.
 */
export function findSyntaxProblems(path: string, text: string, dialect: Dialect): Problem[] {
  if (dialect === 'plain') return []
  const fault = findFault(dialect === 'docusaurus' ? blankDocusaurusExtras(text) : text, dialect)
  if (fault === null) return []
  // A parser stops at its first error, so two states of one page can only be compared by whether they parse at all: no subject.
  const message = `MDX does not parse: ${fault.message}`
  return [{ check: 'syntax', code: 'mdx_syntax', path, line: fault.line, subject: '', message }]
}

export interface SyntaxFault {
  readonly line: number | null
  readonly message: string
}

function findFault(text: string, dialect: Dialect): SyntaxFault | null {
  const extensions = [frontmatter(), gfm(), math(), mdxjs(), ...(dialect === 'docusaurus' ? [directive()] : [])]
  let events: ParserEvent[]
  try {
    events = postprocess(
      parse({ extensions })
        .document()
        .write(preprocess()(text, undefined, true)),
    )
  } catch (error) {
    return toFault(error)
  }
  return findTagProblem(events)
}

interface ParserMessage {
  readonly reason: string
  readonly line?: number | null
}

function toFault(error: unknown): SyntaxFault {
  if (!isParserMessage(error)) return { line: null, message: 'the parser cannot read this page.' }
  const hint = /before name|before attribute name|character `</i.test(error.reason)
    ? ' Write "<" as "&lt;" or put it in backticks when no tag is meant.'
    : /expression/i.test(error.reason)
      ? ' Write "{" as "\\{" or put it in backticks when no expression is meant.'
      : ''
  return { line: error.line ?? null, message: `${error.reason.split('\n', 1)[0]}.${hint}`.replace(/\.\.+/g, '.') }
}

function isParserMessage(error: unknown): error is ParserMessage {
  return error instanceof Error && 'reason' in error && typeof error.reason === 'string'
}

/** What Docusaurus rewrites before MDX sees it: HTML comments and `{#heading-id}`. Blanked, so that positions stay. */
function blankDocusaurusExtras(text: string): string {
  const blank = (found: string) => found.replace(/[^\n]/g, ' ')
  return text
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/^(#{1,6} .*?)(\{#[^}\n]+\})[ \t]*$/gm, (_, head, id) => head + blank(id))
}
