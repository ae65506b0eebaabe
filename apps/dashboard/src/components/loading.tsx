import './loading.css'

/** Shown when an answer takes longer than a blink. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return <p className="loading">{label}…</p>
}
