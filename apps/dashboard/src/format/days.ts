/** Reads a day such as `2026-01-31` from a URL, or returns null. */
export const readDay = (value: unknown): string | null =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : null

/** Returns the start of the day, or of a later one, in the time zone of the browser. */
export function toDayStart(day: string, plusDays = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + plusDays)
}
