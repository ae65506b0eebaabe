/** A heading's text without the attributes at its end, and the ids that these define. */
export interface HeadingId {
  readonly text: string
  readonly ids: readonly string[]
}

/**
 * Splits off the attributes that plain Markdown keeps in a heading's text: `{#id}`,
 * `{: #id .class }` and `{ id="id" }`.
 */
export function toHeadingId(text: string): HeadingId {
  const match = /\{:?([^{}]{1,200})\}\s*$/.exec(text)
  if (match === null) return { text, ids: [] }
  const ids = Array.from(
    (match[1] ?? '').matchAll(/(?:^|\s)(?:#([^\s}]+)|id=(?:"([^"]*)"|([^\s"}]+)))/g),
    ([, short, quoted, bare]) => short ?? quoted ?? bare ?? '',
  )
  return { text: text.slice(0, match.index), ids }
}
