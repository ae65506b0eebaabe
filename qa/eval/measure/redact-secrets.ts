/**
 * Returns the value with every secret redacted in its strings and keys. Ignores secrets shorter
 * than 6 characters, which would match too often.
 */
export function redactSecrets<T>(value: T, secrets: readonly string[]): T {
  const known = secrets.filter((secret) => secret.length >= 6)
  const clean = (text: string) => known.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
  const walk = (one: unknown): unknown => {
    if (typeof one === 'string') return clean(one)
    if (Array.isArray(one)) return one.map(walk)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [clean(key), walk(inner)]))
  }
  return walk(value) as T
}
