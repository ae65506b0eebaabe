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
