const UNITS = [
  { word: 'd', ms: 86_400_000 },
  { word: 'h', ms: 3_600_000 },
  { word: 'min', ms: 60_000 },
] as const

/**
 * Formats a duration: "7 s", "3 min 05 s", "2 h 04 min". Negative durations, which clock skew can
 * cause, become 0 s.
 */
export function toDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`
}

/**
 * Formats a time difference in its largest unit: "just now", "5 min ago", "in 3 d". Rounds down for
 * the past and up for the future.
 * @param ms negative for the past
 */
export function toRelativeTime(ms: number): string {
  const size = Math.abs(ms)
  const unit = UNITS.find((unit) => size >= unit.ms)
  if (!unit) return ms > 0 ? 'in less than a minute' : 'just now'
  const amount = `${ms > 0 ? Math.ceil(size / unit.ms) : Math.floor(size / unit.ms)} ${unit.word}`
  return ms > 0 ? `in ${amount}` : `${amount} ago`
}

/**
 * Formats US dollars with two decimals, or with four below 10 cents. Null means that the price is
 * unknown.
 */
export function toMoney(usd: number | null): string {
  if (usd === null) return '–'
  return `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`
}

/** Formats a count: "1,234", or "1,234+" for a lower bound. */
export function toCount(count: number, isExact = true): string {
  return `${count.toLocaleString('en-US')}${isExact ? '' : '+'}`
}

const pad = (count: number) => String(count).padStart(2, '0')
