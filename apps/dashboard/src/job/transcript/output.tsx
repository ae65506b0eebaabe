import { useState } from 'react'
import { Button } from '../../components/button.tsx'

/** Longer text is shown in full only on demand, because only the page itself scrolls. */
const SHORT = 3_000

/** Plain text, shortened if it is long. */
export function Output({ text, cut, isError = false }: { text: string; cut: number; isError?: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > SHORT * 1.2
  return (
    <>
      <pre className="transcript-output output" data-error={isError || undefined}>
        {isLong && !isWhole ? text.slice(0, SHORT).toWellFormed() : text}
      </pre>
      {isLong ? (
        <Button variant="quiet" aria-expanded={isWhole} onClick={() => setWhole((whole) => !whole)}>
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </Button>
      ) : null}
      <Cut count={cut} />
    </>
  )
}

/** A note with the number of hidden characters. */
export function Cut({ count }: { count: number }) {
  return count === 0 ? null : <p className="muted">Characters not shown: {count.toLocaleString('en')}</p>
}
