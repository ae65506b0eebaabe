import type { useNavigate } from '@tanstack/react-router'

/** Paths of the pages that the service renders and the router does not handle. */
const FOREIGN = /^\/(?:dashboard\/api|ops\/queues|reference)(?:[/?#]|$)/

/**
 * Navigates to a same-origin path: a screen of this application or a page that the service renders.
 */
export async function goTo(navigate: ReturnType<typeof useNavigate>, path: string): Promise<void> {
  if (FOREIGN.test(path)) window.location.assign(path)
  else await navigate({ href: path })
}

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
