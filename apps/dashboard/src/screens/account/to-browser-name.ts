// Many browsers also send the tokens of browsers further down this list, so the order matters.
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/**
 * Returns a name such as "Firefox on Linux" for a User-Agent header. Unknown browsers are named
 * "Unknown browser", and unknown systems are omitted.
 */
export function toBrowserName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const browser = BROWSERS.find(([word]) => userAgent.includes(`${word}/`))?.[1] ?? 'Unknown browser'
  const system = SYSTEMS.find(([word]) => userAgent.includes(word))?.[1]
  return system ? `${browser} on ${system}` : browser
}
