/**
 * The static content of a configuration file in any language (JSON, YAML, JavaScript, TypeScript).
 * Offsets refer to the file's text (LF line endings, no byte order mark). `end` is exclusive.
 * String offsets include the quotes. No code is executed. Values that require execution are
 * `unknown`.
 */
export type Literal =
  | { readonly kind: 'string'; readonly value: string; readonly start: number; readonly end: number }
  | {
      readonly kind: 'scalar'
      readonly value: number | boolean | null | undefined
      readonly start: number
      readonly end: number
    }
  | {
      readonly kind: 'array'
      readonly items: readonly Literal[]
      /** False if a spread may add items. */
      readonly whole: boolean
      readonly start: number
      readonly end: number
    }
  | ObjectLiteral
  | {
      readonly kind: 'call'
      readonly callee: string
      readonly args: readonly Literal[]
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'name'; readonly name: string; readonly start: number; readonly end: number }
  | { readonly kind: 'unknown'; readonly start: number; readonly end: number }

export interface ObjectLiteral {
  readonly kind: 'object'
  readonly properties: readonly Property[]
  readonly whole: boolean
  readonly start: number
  readonly end: number
}

export interface Property {
  readonly key: string
  readonly keyStart: number
  readonly keyEnd: number
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
