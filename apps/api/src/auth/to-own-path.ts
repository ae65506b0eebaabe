/**
 * Returns a safe redirect target: a path on this service, or null. Browsers interpret `//host`,
 * `/\host` and paths with a tab as URLs on a different host, and dot segments can resolve to a path
 * of this kind. The check therefore applies to the parsed URL, not to the input.
 * @param without names of query parameters to omit
 */
export function toOwnPath(text: string, publicUrl: string, without: readonly string[] = []): string | null {
  if (!URL.canParse(text, publicUrl)) return null
  const url = new URL(text, publicUrl)
  if (url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) return null
  for (const name of without) url.searchParams.delete(name)
  return `${url.pathname}${url.search}`
}
