import type { useNavigate } from '@tanstack/react-router'

/** Pages that the service makes itself: the router knows none of them. */
const FOREIGN = /^\/(?:dashboard\/api|ops\/queues|reference)(?:[/?#]|$)/

/** Goes to a path of this origin, be it a screen of this application or a page that the service makes. */
export async function goTo(navigate: ReturnType<typeof useNavigate>, path: string): Promise<void> {
  if (FOREIGN.test(path)) window.location.assign(path)
  else await navigate({ href: path })
}
