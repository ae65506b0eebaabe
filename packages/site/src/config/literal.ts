/**
 * What a configuration file says in plain sight, whatever language it is written in (JSON, YAML, JavaScript, TypeScript). Offsets are into
 * the file's text (LF line ends, no byte order mark), `end` exclusive; those of strings take in the quotes. Nothing is ever executed: what
 * would have to be is `unknown`.
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
      /** False when a spread may put more in. */
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

/** Nesting beyond this is no configuration, and a recursive reader of it can end the process. */
export const MAX_DEPTH = 100

/** The value of a property; the last one counts when a key stands twice. Null for what is no object or has no such key. */
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

/** Where the text of a string stands, without its quotes. */
export function toTextRange(text: string, literal: Literal): { start: number; end: number } {
  const quoted = /["'`]/.test(text[literal.start] ?? '')
  return quoted ? { start: literal.start + 1, end: literal.end - 1 } : { start: literal.start, end: literal.end }
}
