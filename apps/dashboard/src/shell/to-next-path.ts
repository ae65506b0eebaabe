/**
 * Returns the redirect target after sign-in: a path of this origin, otherwise the home page.
 * Links are untrusted.
 */
export function toNextPath(next: string | undefined): string {
  if (!next?.startsWith('/')) return '/'
  // Browsers interpret `//host`, `/\host` and paths with a tab as another origin.
  const base = 'https://here.invalid'
  if (!URL.canParse(next, base)) return '/'
  const { origin, pathname, search, hash } = new URL(next, base)
  return origin === base && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/'
}
