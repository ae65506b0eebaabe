import { ensureDemoOwner, type SignedInUser } from '@corrigenda/core/accounts'
import type { ApiDeps } from '../http/deps.ts'
import { isDemoVisit } from './is-demo-visit.ts'
import type { Exchange, UserSessions } from './user-sessions.ts'

/**
 * Signs a demo visitor in to the demo account, so that the first page has content. Applies only to
 * requests from the same machine, and only if the public URL is a loopback address and no proxy is
 * trusted.
 */
export async function findDemoUser(
  deps: ApiDeps,
  userSessions: UserSessions,
  exchange: Exchange,
): Promise<SignedInUser | null> {
  const { headers } = exchange.request
  if (headers.authorization !== undefined || !isDemoVisit(deps, exchange.request)) return null
  // A page on another site must not start a session.
  if (!['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined)) return null
  const { userId } = await ensureDemoOwner(deps)
  return userSessions.startSession(exchange, userId, 'demo')
}
