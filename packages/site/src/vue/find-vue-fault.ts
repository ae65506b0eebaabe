import { type CompilerError, compile, ErrorCodes, parse } from '@vue/compiler-dom'
import { hasLongTag } from './has-long-tag.ts'
import { isTooIntricate } from './is-too-intricate.ts'
import { type RenderedTemplate, renderTemplate } from './render-template.ts'

interface VueFault {
  /** 1-based. */
  readonly line: number
  /** A complete sentence. */
  readonly message: string
}

/**
 * Matches everything that can be a fault: a tag, or a bracket of an expression, even if escaped.
 */
const SUSPECT = /\{|<[A-Za-z/]/
/** Further errors are not needed, and each takes as long as a page. */
const MAX_ERRORS = 100
/** An attribute of `markdown-it-attrs` that turns off expressions in its element. */
const NOT_COMPILED = /\{[^{}\n]{0,100}\bv-pre\b/

/**
 * Returns the first error of Vue's compiler in a page of VitePress, or null. Synchronous CPU work,
 * about 1 s per MB.
 * @param text without front matter, with LF line endings
 * @param hasMath true if text between dollar signs is a formula
 */
export function findVueFault(text: string, hasMath = false): VueFault | null {
  if (!SUSPECT.test(text)) return null
  const rendered = renderTemplate(text, hasMath)
  const { template } = rendered
  if (!SUSPECT.test(template) || hasLongTag(template) || isTooDeep(template)) return null
  let errors: CompilerError[] = []
  const onError = (error: CompilerError) => {
    if (error.loc !== undefined) errors.push(error)
    if (errors.length >= MAX_ERRORS) throw error
  }
  try {
    const hasExpressions = !NOT_COMPILED.test(text) && !isTooIntricate(parse(template, { onError }))
    errors = []
    compile(template, {
      mode: hasExpressions ? 'module' : 'function',
      prefixIdentifiers: hasExpressions,
      // Types are valid if a script has them, which may be in an included file.
      expressionPlugins: ['typescript'],
      onError,
      onWarn: () => undefined,
    })
  } catch {
    // The compiler may fail after an error.
  }
  errors.sort((a, b) => toOffset(a) - toOffset(b))
  // The rest of the page is part of an expression that is not closed, so other elements are not
  // either.
  const [first] = [...errors.filter(({ code }) => code === ErrorCodes.X_MISSING_INTERPOLATION_END), ...errors]
  return first === undefined ? null : toFault(rendered, first)
}

function toOffset({ loc }: CompilerError): number {
  return loc?.start.offset ?? 0
}

function toFault({ template, toLine }: RenderedTemplate, error: CompilerError): VueFault {
  const offset = toOffset(error)
  return { line: toLine(offset), message: toMessage(template.slice(offset), error) }
}

function toMessage(rest: string, { code, message }: CompilerError): string {
  const name = /^<\/?([^\s/>]{1,100})/.exec(rest)?.[1] ?? ''
  switch (code) {
    case ErrorCodes.X_MISSING_END_TAG:
      return `<${name}> is not closed. If it is not a tag, write "<" as "&lt;" or put it in backticks.`
    case ErrorCodes.X_INVALID_END_TAG:
      return `</${name}> has no opening tag in the same block.`
    case ErrorCodes.X_INVALID_EXPRESSION: {
      const detail = /expression: (.*)$/s.exec(message)?.[1]?.replace(/ \(\d+:\d+\)$/, '') ?? 'it does not parse'
      return `An expression is not valid: ${detail.replace(/\.$/, '')}. If it is text, put it in a fenced code block or an element with "v-pre".`
    }
    default:
      return /[.!?]$/.test(message) ? message : `${message}.`
  }
}

/**
 * Maximum number of open elements. The compiler calls itself for nested elements, and searches all
 * open elements for the one that a tag closes.
 */
const MAX_DEPTH = 200
const TAG = /<(\/?)([A-Za-z][^\s/>]{0,100})/g
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/

/** Elements that close themselves count as open, so this may exclude a page without need. */
function isTooDeep(template: string): boolean {
  let depth = 0
  for (const [, slash, name = ''] of template.matchAll(TAG)) {
    if (slash === '/') depth = Math.max(0, depth - 1)
    else if (!VOID.test(name)) depth += 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}
