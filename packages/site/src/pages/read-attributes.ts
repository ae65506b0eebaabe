export interface Attribute {
  readonly name: string
  /** Null for an expression whose value the text does not tell. */
  readonly value: string | null
  /** Offset of the name. */
  readonly at: number
}

/** A name is read once from its beginning: without the look-behind, a long run of letters takes time that grows with its square. */
const ATTRIBUTE =
  /(?<![\w:.@$-])([A-Za-z_:@][\w:.@-]{0,100})[ \t\n]{0,100}=[ \t\n]{0,100}(?:"([^"]{0,4000})"|'([^']{0,4000})'|\{[ \t\n]{0,100}(?:"([^"\\{}]{0,4000})"|'([^'\\{}]{0,4000})'|`([^`\\${}]{0,4000})`)[ \t\n]{0,100}\}|(\{)|([^\s"'{<>=`]{1,2000}))/g

/** The attributes of HTML or JSX tags in a text, as they are written; bound ones (`:href`, `@click`) keep their mark. */
export function readAttributes(text: string): Attribute[] {
  const found: Attribute[] = []
  for (const match of text.matchAll(ATTRIBUTE)) {
    const value = match[7] === undefined ? match.slice(2, 9).find((group) => group !== undefined) : null
    found.push({ name: match[1] ?? '', value: value ?? null, at: match.index })
  }
  return found
}
