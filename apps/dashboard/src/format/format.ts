import type { DashboardJob } from '@corrigenda/contracts'

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

/**
 * Reads a day such as `2026-01-31` from a URL, or returns null. A year before 2000, such as 0020, is one
 * that is still being typed.
 */
export const readDay = (value: unknown): string | null =>
  typeof value === 'string' && /^[2-9]\d{3}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : null

/** Returns true if a date field is empty or contains a day that `readDay` reads. */
export const isDayOrEmpty = (text: string): boolean => text === '' || readDay(text) !== null

/** Returns the start of the day, or of a later one, in the time zone of the browser. */
export function toDayStart(day: string, plusDays = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + plusDays)
}

/** Returns the pull request title, or the first line of the prompt until the title is known. */
export function toJobTitle({ title, prompt, id }: Pick<DashboardJob, 'title' | 'prompt' | 'id'>): string {
  return title ?? (prompt.trim().split('\n', 1)[0]?.trim() || id)
}
