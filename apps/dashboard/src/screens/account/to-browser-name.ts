// Each browser names the ones before it as well, so the order decides.
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

/** "Firefox on Linux" for a User-Agent header; what is not known is called so. */
export function toBrowserName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const browser = BROWSERS.find(([word]) => userAgent.includes(`${word}/`))?.[1] ?? 'Unknown browser'
  const system = SYSTEMS.find(([word]) => userAgent.includes(word))?.[1]
  return system ? `${browser} on ${system}` : browser
}
