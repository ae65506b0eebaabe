/**
 * Where a browser may be sent after it came from elsewhere: a path of this service, or null. Browsers take `//host`, `/\\host` and a tab in between for
 * another host, and dots may leave such a path behind; so what the URL becomes is looked at, and not what it was.
 * @param without names of query parameters that are left out
 */
export function toOwnPath(text: string, publicUrl: string, without: readonly string[] = []): string | null {
  if (!URL.canParse(text, publicUrl)) return null
  const url = new URL(text, publicUrl)
  if (url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) return null
  for (const name of without) url.searchParams.delete(name)
  return `${url.pathname}${url.search}`
}
