import { ensureDemoOwner, type Person } from '@corrigenda/core/accounts'
import { isLoopback } from '@corrigenda/core/projects'
import type { ApiDeps } from '../http/deps.ts'
import { isLocalRequest } from './is-local-request.ts'
import type { Exchange, People } from './people.ts'

/**
 * Signs a visitor of the demo in to the demo account, so that the first page has content. Applies
 * only to requests from the same machine, and never if the public URL is not a loopback address or
 * the service runs behind a proxy.
 */
export async function findDemoPerson(deps: ApiDeps, people: People, exchange: Exchange): Promise<Person | null> {
  const { headers } = exchange.request
  if (!deps.demoSignIn || deps.trustProxy !== false || !isLoopback(new URL(deps.publicUrl).hostname)) return null
  if (headers.authorization !== undefined || !isLocalRequest(exchange.request)) return null
  // A page of another site must not start a session.
  if (!['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined)) return null
  const { userId } = await ensureDemoOwner(deps)
  return people.startSession(exchange, userId)
}
