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
