/** A text that literals refer to. */
export interface LiteralFile {
  readonly path: string
  /** LF line endings, no byte order mark. */
  readonly text: string
}

interface Place {
  /** Offsets in the file's text. `end` is exclusive. String offsets include the quotes. */
  readonly start: number
  readonly end: number
  /**
   * The file that contains the literal. Absent in YAML. In an evaluated script, parts of a value
   * may come from different files.
   */
  readonly file?: LiteralFile
}

/**
 * The static content of a configuration file in any language (JSON, YAML, JavaScript, TypeScript).
 * No code is executed. Values that require execution are `unknown`.
 */
export type Literal = StringLiteral | ScalarLiteral | ArrayLiteral | ObjectLiteral | CallLiteral | UnknownLiteral

interface StringLiteral extends Place {
  readonly kind: 'string'
  readonly value: string
  /** Set if an expression creates the text: a template with parts, a concatenation, a path. */
  readonly isComputed?: true
}

interface ScalarLiteral extends Place {
  readonly kind: 'scalar'
  readonly value: number | boolean | null | undefined
}

interface ArrayLiteral extends Place {
  readonly kind: 'array'
  readonly items: readonly Literal[]
  /** False if a spread or code may add items. */
  readonly whole: boolean
}

export interface ObjectLiteral extends Place {
  readonly kind: 'object'
  readonly properties: readonly Property[]
  /** False if a spread or code may add or replace properties. */
  readonly whole: boolean
}

/** A call of a function whose result is unknown. */
interface CallLiteral extends Place {
  readonly kind: 'call'
  /** As written, for example `starlight` or `path.join`. */
  readonly callee: string
  /** The package that the function is imported from. */
  readonly from?: string
  readonly args: readonly Literal[]
}

export interface UnknownLiteral extends Place {
  readonly kind: 'unknown'
}

export interface Property {
  readonly key: string
  readonly keyStart: number
  readonly keyEnd: number
  /** The file that contains the key, as in `Literal`. */
  readonly file?: LiteralFile
  readonly value: Literal
}

/**
 * Maximum nesting depth. Deeper nesting is not plausible configuration and could crash a recursive
 * reader.
 */
export const MAX_DEPTH = 100

/**
 * Returns the value at a property path. If a key is repeated, the last one applies. Returns null if
 * a literal along the path is not an object or lacks the key.
 */
export function findProperty(literal: Literal | null | undefined, ...path: readonly string[]): Literal | null {
  let at: Literal | null = literal ?? null
  for (const key of path) {
    if (at?.kind !== 'object') return null
    at = at.properties.findLast((property) => property.key === key)?.value ?? null
  }
  return at
}

export function findText(literal: Literal | null | undefined, ...path: readonly string[]): string | null {
  const found = findProperty(literal, ...path)
  return found?.kind === 'string' ? found.value : null
}

export function toItems(literal: Literal | null | undefined): readonly Literal[] {
  return literal?.kind === 'array' ? literal.items : []
}

export function toProperties(literal: Literal | null | undefined): readonly Property[] {
  return literal?.kind === 'object' ? literal.properties : []
}

/** Returns the range of a string's text without its quotes. */
export function toTextRange(text: string, literal: Literal): { start: number; end: number } {
  const quoted = /["'`]/.test(text[literal.start] ?? '')
  return quoted ? { start: literal.start + 1, end: literal.end - 1 } : { start: literal.start, end: literal.end }
}
