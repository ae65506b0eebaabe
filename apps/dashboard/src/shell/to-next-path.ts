/**
 * Returns the path to open after sign-in: `next` if it is a same-origin path, otherwise the home
 * page. `next` comes from a URL, so it is untrusted.
 */
export function toNextPath(next: string | undefined): string {
  if (!next?.startsWith('/')) return '/'
  // Browsers can interpret `//host`, `/\host` and paths with a tab as URLs with another origin.
  const base = 'https://here.invalid'
  if (!URL.canParse(next, base)) return '/'
  const { origin, pathname, search, hash } = new URL(next, base)
  return origin === base && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/'
}
