export interface Token {
  readonly kind: 'punctuator' | 'string' | 'template' | 'number' | 'name' | 'regex' | 'end'
  /** The token's text, including a string's quotes. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** True if a line break precedes the token. */
  readonly fresh: boolean
}

/** Thrown if the text is not supported JavaScript. No values are then read from the file. */
export class ScanError extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message)
    this.name = 'ScanError'
  }
}

const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#![^\n]*)*/y
const NAME = /[\p{ID_Start}$_@#][\p{ID_Continue}$\u200C\u200D]*/uy
const NUMBER = /0[xXoObB][\da-fA-F_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?n?/y
const DOUBLE = /"(?:[^"\\\n]|\\[\s\S])*"/y
const SINGLE = /'(?:[^'\\\n]|\\[\s\S])*'/y
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const PUNCTUATOR = /=>|\.\.\.|\?\.(?!\d)|[{}()[\];,<>:?=.+*/%&|^!~-]|#/y

/**
 * Returns the token at or after an offset. `operand` is true if a value may start here, in which
 * case a slash starts a regular expression.
 */
export function scanToken(text: string, offset: number, operand: boolean): Token {
  const skipped = take(SPACE, text, offset) ?? ''
  const start = offset + skipped.length
  const fresh = skipped.includes('\n')
  if (start >= text.length) return { kind: 'end', text: '', start, end: start, fresh }
  const token = (kind: Token['kind'], found: string): Token => ({
    kind,
    text: found,
    start,
    end: start + found.length,
    fresh,
  })
  const char = text[start] ?? ''
  if (char === '"' || char === "'") {
    const found = take(char === '"' ? DOUBLE : SINGLE, text, start)
    if (found === null) throw new ScanError('a string is not closed', start)
    return token('string', found)
  }
  if (char === '`') return token('template', text.slice(start, skipTemplate(text, start)))
  const name = take(NAME, text, start)
  if (name !== null) return token('name', name)
  const number = take(NUMBER, text, start)
  if (number !== null) return token('number', number)
  if (char === '/' && operand) {
    const regex = take(REGEX, text, start)
    if (regex === null) throw new ScanError('a regular expression is not closed', start)
    return token('regex', regex)
  }
  const punctuator = take(PUNCTUATOR, text, start)
  if (punctuator === null) throw new ScanError(`${JSON.stringify(char)} is unexpected`, start)
  return token('punctuator', punctuator)
}

/**
 * Returns the end offset of a template literal, including its expressions. Nested templates are not
 * supported.
 */
function skipTemplate(text: string, start: number): number {
  /** Number of open braces in an expression; null outside expressions. */
  let braces: number | null = null
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at]
    if (braces === null) {
      if (char === '\\') at += 1
      else if (char === '`') return at + 1
      else if (char === '$' && text[at + 1] === '{') {
        braces = 0
        at += 1
      }
    } else if (char === '{') braces += 1
    else if (char === '}') braces = braces === 0 ? null : braces - 1
    else if (char === '`') throw new ScanError('nested templates are not supported', start)
    else if (char === '"' || char === "'") {
      const found = take(char === '"' ? DOUBLE : SINGLE, text, at)
      if (found === null) throw new ScanError('a string is not closed', at)
      at += found.length - 1
    }
  }
  throw new ScanError('a template is not closed', start)
}

function take(pattern: RegExp, text: string, offset: number): string | null {
  pattern.lastIndex = offset
  return pattern.exec(text)?.[0] ?? null
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' }

/** Decodes a quoted string or a template without expressions. */
export function decodeString(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\n)|([\s\S]))/g, (_, ...groups) => {
      const [point, unit, byte, newline, plain] = groups as (string | undefined)[]
      if (point !== undefined) {
        const code = Number.parseInt(point, 16)
        return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
      }
      const hex = unit ?? byte
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (newline !== undefined) return ''
      return ESCAPES[plain ?? ''] ?? plain ?? ''
    })
}
