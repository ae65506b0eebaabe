/** Parses one list entry per line. Ignores empty lines. */
export const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

export const fromLines = (lines: readonly string[] | null): string => (lines ?? []).join('\n')

/** Parses a number. Returns null for an empty string. */
export const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text))

export const fromNumber = (value: number | null): string => (value === null ? '' : String(value))

/**
 * Parses one `NAME=VALUE` pair per line. The value may contain `=`.
 * @throws Error with a user-facing message
 */
export function toPairs(text: string): Record<string, string> {
  return Object.fromEntries(
    toLines(text).map((line) => {
      const at = line.indexOf('=')
      if (at < 1) throw new Error(`"${line}" must have the form NAME=VALUE.`)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}

export const fromPairs = (pairs: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(pairs ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

/**
 * Parses a JSON object. Returns undefined for an empty string.
 * @throws Error with a user-facing message
 */
export function toJsonObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('The payload is not valid JSON.')
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Error('The payload must be a JSON object, such as {"site": "docs"}.')
  }
  return value as Record<string, unknown>
}
