import type { RefusalCode } from '../../http/error-codes.ts'
import type { RouteFacts } from './collect-routes.ts'
import type { OperationDoc } from './operation-doc.ts'

/** Every code that an operation can answer: its own, and those that come with what it takes. */
export function listErrorCodes(route: RouteFacts, doc: OperationDoc): ReadonlySet<RefusalCode> {
  const codes = new Set<RefusalCode>(doc.errors)
  const add = (...more: RefusalCode[]) => {
    for (const code of more) codes.add(code)
  }
  add('too_many_requests')
  if (doc.scope !== null) {
    add('unauthorized', 'service_unavailable')
    if (route.params) add('not_found')
    if (doc.scope !== 'any') add('scope_missing')
    add('address_not_allowed')
  }
  if (route.params) add('invalid_url', 'url_too_long')
  if (route.query || route.body || doc.requestHeaders?.includes('Idempotency-Key')) add('invalid_request')
  // A body may come with any of these, wanted or not.
  if (route.method !== 'GET') add('invalid_request', 'invalid_json', 'body_too_large', 'unsupported_media_type')
  return codes
}
