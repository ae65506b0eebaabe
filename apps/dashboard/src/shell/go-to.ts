import type { useNavigate } from '@tanstack/react-router'

/** Pages that the service renders itself, outside the router. */
const FOREIGN = /^\/(?:dashboard\/api|ops\/queues|reference)(?:[/?#]|$)/

/** Navigates to a path of this origin: a screen of this application or a page of the service. */
export async function goTo(navigate: ReturnType<typeof useNavigate>, path: string): Promise<void> {
  if (FOREIGN.test(path)) window.location.assign(path)
  else await navigate({ href: path })
}
