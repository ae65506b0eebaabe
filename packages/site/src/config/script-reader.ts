import { type Literal, MAX_DEPTH, type Property } from './literal.ts'
import { decodeString, ScanError, scanToken, type Token } from './scan-token.ts'

/** Keywords that end an expression when they start a line. */
const STATEMENT =
  /^(?:const|let|var|export|import|function|class|module|return|interface|type|enum|declare|async|if|for|while|switch|try|throw)$/
const CLOSERS = new Set([',', ']', '}', ')', ';'])

/**
 * Reads the literals in JavaScript source from start to end. It is a class because it tracks the
 * current position.
 */
export class ScriptReader {
  #offset = 0
  #depth = 0
  /** True if a value may start at the offset. */
  #operand = true
  #next: Token | null = null

  constructor(readonly text: string) {}

  peek(): Token {
    this.#next ??= scanToken(this.text, this.#offset, this.#operand)
    return this.#next
  }

  take(): Token {
    const token = this.peek()
    this.#next = null
    this.#offset = token.end
    this.#operand =
      token.kind === 'punctuator' ? !/^[)\]}]$/.test(token.text) : /^(?:return|typeof|case|in|of)$/.test(token.text)
    return token
  }

  /** Consumes the next tokens if their text matches `texts` exactly. */
  takeAll(...texts: readonly string[]): boolean {
    const [offset, operand, next] = [this.#offset, this.#operand, this.#next]
    for (const text of texts) {
      if (this.peek().text !== text) {
        ;[this.#offset, this.#operand, this.#next] = [offset, operand, next]
        return false
      }
      this.take()
    }
    return true
  }

  /**
   * Skips past the closing bracket if `token` is an opening bracket that was just consumed. Does
   * nothing for other tokens.
   */
  skipBracket(token: Token): void {
    const open: string[] = []
    for (let at = token; ; at = this.take()) {
      if (at.kind === 'punctuator') {
        if (at.text === '(' || at.text === '[' || at.text === '{') open.push(at.text)
        else if (at.text === ')' || at.text === ']' || at.text === '}') {
          const partner = { ')': '(', ']': '[', '}': '{' }[at.text]
          if (open.pop() !== partner) throw new ScanError('brackets do not match', at.start)
        }
      }
      if (open.length === 0) return
      if (at.kind === 'end') throw new ScanError('a bracket is not closed', token.start)
    }
  }

  /** Skips past the closing bracket of an opening bracket that was consumed earlier. */
  skipRest(bracket: Token): void {
    for (let token = this.take(); !/^[)\]}]$/.test(token.text); token = this.take()) {
      if (token.kind === 'end') throw new ScanError('a bracket is not closed', bracket.start)
      this.skipBracket(token)
    }
  }

  skipUntil(text: string): void {
    for (let token = this.peek(); token.text !== text && token.kind !== 'end'; token = this.peek()) {
      if (token.text === ';') return
      this.skipBracket(this.take())
    }
  }

  readExpression(): Literal {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new ScanError(`it has more than ${MAX_DEPTH} levels of nesting`, this.#offset)
    const start = this.peek().start
    const value = this.#readOperand()
    this.#depth -= 1
    // TypeScript assertions do not affect the value.
    if (value !== null && (this.peek().text === 'as' || this.peek().text === 'satisfies')) {
      this.take()
      this.#skipExpression()
      return value
    }
    if (value !== null && this.#atEnd()) return value
    this.#skipExpression()
    return { kind: 'unknown', start, end: this.#offset }
  }

  #atEnd(): boolean {
    const token = this.peek()
    return token.kind === 'end' || CLOSERS.has(token.text) || (token.fresh && STATEMENT.test(token.text))
  }

  #skipExpression(): void {
    while (!this.#atEnd()) this.skipBracket(this.take())
  }

  /**
   * Returns null if no literal starts here. Any consumed tokens then belong to an expression that
   * the caller skips.
   */
  #readOperand(): Literal | null {
    const token = this.peek()
    const { start, end } = token
    switch (token.kind) {
      case 'string':
        this.take()
        return { kind: 'string', value: decodeString(token.text), start, end }
      case 'template':
        this.take()
        return token.text.includes('${') ? null : { kind: 'string', value: decodeString(token.text), start, end }
      case 'number':
        this.take()
        return { kind: 'scalar', value: Number(token.text.replaceAll('_', '')), start, end }
      case 'name':
        return this.#readName()
      case 'punctuator':
        if (token.text === '[') return this.#readArray()
        if (token.text === '{') return this.#readObject()
        if (token.text === '-') return this.#readNegative()
        if (token.text === '(') return this.#readGroup()
        // JSX text may contain quotes and braces that are plain text.
        if (token.text === '<') throw new ScanError('JSX is not supported', start)
        return null
      default:
        return null
    }
  }

  #readNegative(): Literal | null {
    const { start } = this.take()
    const token = this.peek()
    if (token.kind !== 'number') return null
    this.take()
    return { kind: 'scalar', value: -Number(token.text.replaceAll('_', '')), start, end: token.end }
  }

  #readGroup(): Literal | null {
    this.take()
    const inner = this.readExpression()
    while (this.peek().text === ',') {
      this.take()
      if (this.peek().text !== ')') this.readExpression()
    }
    if (this.take().text !== ')') throw new ScanError('a bracket is not closed', inner.start)
    // `(a) => …` is a function, not a literal. Only the token after the brackets distinguishes
    // them.
    return this.peek().text === '=>' || this.peek().text === ':' ? null : inner
  }

  #readName(): Literal | null {
    const first = this.take()
    const scalar = { true: true, false: false, null: null, undefined }
    if (Object.hasOwn(scalar, first.text)) {
      const value = scalar[first.text as keyof typeof scalar]
      return { kind: 'scalar', value, start: first.start, end: first.end }
    }
    if (/^(?:async|function|class|new|await|typeof|void|delete|yield)$/.test(first.text)) return null
    let name = first.text
    let end = first.end
    while (this.peek().text === '.') {
      this.take()
      const part = this.take()
      name += `.${part.text}`
      end = part.end
    }
    if (
      this.peek().text === '<' &&
      /^<[\w\s,.|'"[\]]{0,200}>\s*\(/.test(this.text.slice(this.peek().start, this.peek().start + 300))
    ) {
      this.skipUntil('(')
    }
    if (this.peek().text !== '(') return { kind: 'name', name, start: first.start, end }
    this.take()
    const args = this.#readList(')')
    return { kind: 'call', callee: name, args: args.items, start: first.start, end: this.#offset }
  }

  #readArray(): Literal {
    const { start } = this.take()
    const { items, whole } = this.#readList(']')
    return { kind: 'array', items, whole, start, end: this.#offset }
  }

  #readList(closer: string): { items: Literal[]; whole: boolean } {
    const items: Literal[] = []
    let whole = true
    for (let token = this.peek(); token.text !== closer; token = this.peek()) {
      if (token.kind === 'end') throw new ScanError('a bracket is not closed', token.start)
      if (token.text === '...') {
        this.take()
        whole = false
        this.readExpression()
      } else items.push(this.readExpression())
      if (this.peek().text === ',') this.take()
      else if (this.peek().text !== closer) throw new ScanError('a comma or bracket is missing', this.peek().start)
    }
    this.take()
    return { items, whole }
  }

  #readObject(): Literal {
    const { start } = this.take()
    const properties: Property[] = []
    let whole = true
    for (let token = this.peek(); token.text !== '}'; token = this.peek()) {
      if (token.kind === 'end') throw new ScanError('a bracket is not closed', token.start)
      const property = this.#readProperty()
      if (property === null) whole = false
      else properties.push(property)
      if (this.peek().text === ',') this.take()
      else if (this.peek().text !== '}') throw new ScanError('a comma or brace is missing', this.peek().start)
    }
    this.take()
    return { kind: 'object', properties, whole, start, end: this.#offset }
  }

  /** Returns null for spreads, computed keys, methods and accessors. */
  #readProperty(): Property | null {
    const key = this.take()
    if (key.text === '...') {
      this.readExpression()
      return null
    }
    const named = key.kind === 'name' || key.kind === 'string' || key.kind === 'number'
    if (!named) this.skipBracket(key)
    const name = key.kind === 'string' ? decodeString(key.text) : key.text
    const place = { key: name, keyStart: key.start, keyEnd: key.end }
    if (named && this.peek().text === ':') {
      this.take()
      return { ...place, value: this.readExpression() }
    }
    if (key.kind === 'name' && (this.peek().text === ',' || this.peek().text === '}')) {
      return { ...place, value: { kind: 'name', name, start: key.start, end: key.end } }
    }
    this.#skipExpression()
    return null
  }
}
