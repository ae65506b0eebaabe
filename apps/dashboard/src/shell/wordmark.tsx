import { Link } from '@tanstack/react-router'

/** The product name, underlined with an editor's stroke. */
export function Wordmark() {
  return (
    <Link to="/" className="wordmark" aria-label="Corrigenda, home">
      Corrigenda
      <svg viewBox="0 0 96 6" aria-hidden="true" focusable="false" preserveAspectRatio="none">
        <path d="M1 3.500c10-3.500 14 2 24 .5s14-2.500 24-.5 16 1.500 24-.5 14-1 22 .5" />
      </svg>
    </Link>
  )
}
