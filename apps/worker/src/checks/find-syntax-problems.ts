import { parse, postprocess, preprocess } from 'micromark'
import { directive } from 'micromark-extension-directive'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'
import { mdxjs } from 'micromark-extension-mdxjs'
import type { Dialect } from '../agent/detect-framework.ts'
import { findIntricacy } from './find-intricacy.ts'
import { findTagProblem, type ParserEvent } from './find-tag-problem.ts'
import type { Problem } from './problem.ts'

/**
 * The first MDX syntax fault of a page; an empty list when it parses. Plain Markdown has no syntax errors: anything is valid.
 * Synchronous CPU work, about 2 s per MB.
 */
export function findSyntaxProblems(path: string, text: string, dialect: Dialect): Problem[] {
  if (dialect === 'plain') return []
  const problem = (code: string, line: number | null, message: string): Problem[] => [
    // A parser stops at its first error, so two states of one page can only be compared by whether they parse at all: no subject.
    { check: 'syntax', code, path, line, subject: '', message },
  ]
  const intricacy = findIntricacy(text)
  if (intricacy !== null) return problem('page_too_intricate', null, `The page cannot be checked: ${intricacy}.`)
  const fault = findFault(dialect === 'docusaurus' ? blankDocusaurusExtras(text) : text, dialect)
  if (fault === null) return []
  return problem('mdx_syntax', fault.line, `MDX does not parse: ${fault.message}`)
}

export interface SyntaxFault {
  readonly line: number | null
  readonly message: string
}

/**
 * Read before every page: a pattern of the JavaScript parser that is first compiled at the bottom of a deep recursion ends the whole process, where
 * the recursion alone is an error that can be caught.
 */
const WARM_UP =
  'import a from "b"\n\nexport const c = {...a, d: /e/u, f: `g`, h: 1n}\n\n{/* h */ await0 ?? <I j="&amp;&#1;" {...k}>l {m.n} &lt;</I>}\n\n# <O p={1} /> é\n'

function findFault(text: string, dialect: Dialect): SyntaxFault | null {
  const extensions = [frontmatter(), gfm(), math(), mdxjs(), ...(dialect === 'docusaurus' ? [directive()] : [])]
  const read = (page: string): ParserEvent[] =>
    postprocess(
      parse({ extensions })
        .document()
        .write(preprocess()(page, undefined, true)),
    )
  let events: ParserEvent[]
  try {
    read(WARM_UP)
    events = read(text)
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
