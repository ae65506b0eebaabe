import type { Span } from '../patch/span.ts'

/** Maximum number of UTF-16 code units shown per line. A note shows how many are hidden. */
const MAX_TEXT = 2_000

/** A line's text with its changed words marked. */
export function SpanText({ spans }: { spans: readonly Span[] }) {
  let remaining = MAX_TEXT
  let left = 0
  const shown = spans.flatMap((span) => {
    const text = span.text.slice(0, remaining).toWellFormed()
    left += span.text.length - text.length
    remaining -= text.length
    return text === '' ? [] : [{ ...span, text }]
  })
  return (
    <>
      {shown.map(({ text, isChanged }, index) => {
        // The order of a line's spans never changes, so the index is a stable key.
        const key = `s${index}`
        return isChanged ? (
          <mark key={key} className="span-changed">
            {text}
          </mark>
        ) : (
          text
        )
      })}
      {left > 0 ? (
        <span className="span-more">{` … ${left} more ${left === 1 ? 'character' : 'characters'}`}</span>
      ) : null}
    </>
  )
}
