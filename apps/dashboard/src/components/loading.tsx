/** Placeholder while a response is loading. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return <p className="loading">{label}…</p>
}
