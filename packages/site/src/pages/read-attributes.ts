interface Attribute {
  readonly name: string
  /** Null for an expression whose value is not in the text. */
  readonly value: string | null
  /** Offset of the name. */
  readonly at: number
}

/**
 * The look-behind ensures that a match starts at the start of a name. Without it, a long run of
 * letters would take quadratic time.
 */
const ATTRIBUTE =
  /(?<![\w:.@$-])([A-Za-z_:@][\w:.@-]{0,100})[ \t\n]{0,100}=[ \t\n]{0,100}(?:"([^"]{0,4000})"|'([^']{0,4000})'|\{[ \t\n]{0,100}(?:"([^"\\{}]{0,4000})"|'([^'\\{}]{0,4000})'|`([^`\\${}]{0,4000})`)[ \t\n]{0,100}\}|(\{(?:[ \t\n]{0,100}(?:"(?:[^"\\]|\\.){0,4000}"|'(?:[^'\\]|\\.){0,4000}')[ \t\n]{0,100}\})?)|([^\s"'{<>=`]{1,2000}))/g

/**
 * Returns the attributes of the HTML or JSX tags in a string, as written. Bound attributes
 * (`:href`, `@click`) keep their prefix.
 */
export function readAttributes(text: string): Attribute[] {
  const found: Attribute[] = []
  for (const match of text.matchAll(ATTRIBUTE)) {
    const value = match[7] === undefined ? match.slice(2, 9).find((group) => group !== undefined) : null
    found.push({ name: match[1] ?? '', value: value ?? null, at: match.index })
  }
  return found
}
