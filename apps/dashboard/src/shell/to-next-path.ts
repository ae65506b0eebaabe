/** Where to go after the sign-in: a path of ours, else the start page. Links may come from strangers. */
export function toNextPath(next: string | undefined): string {
  if (!next?.startsWith('/')) return '/'
  // Browsers take `//host`, `/\host` and a tab in between for another origin.
  const base = 'https://here.invalid'
  if (!URL.canParse(next, base)) return '/'
  const { origin, pathname, search, hash } = new URL(next, base)
  return origin === base && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/'
}
