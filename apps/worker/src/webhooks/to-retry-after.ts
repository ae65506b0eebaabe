/**
 * Returns the wait requested by a `Retry-After` header, in ms (RFC 9110 10.2.3: seconds or a date).
 * Returns null if the header is missing or invalid.
 * @param now in ms since the epoch
 */
export function toRetryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
