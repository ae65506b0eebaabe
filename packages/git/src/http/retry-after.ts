/**
 * Parses `Retry-After`, which contains seconds or a date (RFC 9110, 10.2.3). A proxy may repeat the
 * header, whose values are then joined with commas. Returns null for any other text.
 */
export function toRetryAfterMs(value: string | number | undefined, now = Date.now()): number | null {
  const text = String(value ?? '').trim()
  if (/^\d{1,12}(?:\.\d+)?\s*(?:,|$)/.test(text)) return Math.ceil(Number.parseFloat(text) * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
