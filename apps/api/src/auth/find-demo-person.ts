import { ensureDemoOwner, type Person } from '@corrigenda/core/accounts'
import { isLoopback } from '@corrigenda/core/projects'
import type { ApiDeps } from '../http/deps.ts'
import { isLocalRequest } from './is-local-request.ts'
import type { Exchange, People } from './people.ts'

/**
 * Signs a visitor of the demo in to its account, so that the first page shows something. On the same machine only, and never where the service is
 * meant for others or stands behind a proxy.
 */
export async function findDemoPerson(deps: ApiDeps, people: People, exchange: Exchange): Promise<Person | null> {
  const { headers } = exchange.request
  if (!deps.demoSignIn || deps.trustProxy !== false || !isLoopback(new URL(deps.publicUrl).hostname)) return null
  if (headers.authorization !== undefined || !isLocalRequest(exchange.request)) return null
  // A page of another site gets no session made for it.
  if (!['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined)) return null
  const { userId } = await ensureDemoOwner(deps)
  return people.startSession(exchange, userId)
}
