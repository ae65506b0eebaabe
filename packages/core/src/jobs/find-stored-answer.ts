import { createHash } from 'node:crypto'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import { IDEMPOTENCY_HOURS } from '../job-record/idempotency.ts'

/**
 * A request that may be repeated. Keys are scoped to a project rather than an endpoint, so the
 * operation is part of the request's identity.
 */
export interface RepeatableRequest {
  readonly projectId: string
  readonly key: string
  /**
   * For example `POST job` or `POST job/{id}/retry`. Excludes the path prefix, which differs
   * between the job endpoints and their aliases.
   */
  readonly operation: string
  readonly body: unknown
  /**
   * True if the stored response is valid as long as its job is active, and no longer. Only for requests
   * that create jobs.
   */
  readonly whileActive?: boolean
}

/**
 * Returns the stored response to an earlier request with the same key, or null when the request has
 * no key or the key is unused. An unused key stays locked until the transaction ends, so that
 * {@link storeAnswer} can store the response in the same transaction.
 * @throws AppError `idempotency_in_flight` while the first request is running;
 * `idempotency_mismatch` when the key was used for a different request
 */
export async function findStoredAnswer(tx: Db, request: RepeatableRequest | null): Promise<string | null> {
  if (request === null) return null
  const { projectId, key } = request
  const [{ state, answer }] = await tx.$queryRaw<
    [{ state: 'unused' | 'stored' | 'in_flight' | 'mismatch'; answer: string | null }]
  >`SELECT * FROM find_answer(${projectId}, ${key}, ${hashRequest(request)}, ${IDEMPOTENCY_HOURS}::int)`
  if (state === 'unused' || state === 'stored') return answer
  throw toKeyError(state)
}

/** Returns the error for a request whose key is in use or was used for a different request. */
export const toKeyError = (state: 'in_flight' | 'mismatch'): AppError =>
  state === 'in_flight'
    ? new AppError(
        'idempotency_in_flight',
        'A request with this Idempotency-Key is still running. Try again in a moment.',
        1,
      )
    : new AppError(
        'idempotency_mismatch',
        'This Idempotency-Key was used with a different body or path. Use a new key for a new request.',
      )

/**
 * Stores the exact response for later requests with the same key. Call it in the transaction that
 * performs the operation.
 */
export async function storeAnswer(tx: Db, request: RepeatableRequest, response: string): Promise<void> {
  const { projectId, key } = request
  const requestHash = new Uint8Array(hashRequest(request))
  await tx.idempotencyKey.create({ data: { projectId, key, requestHash, response } })
}

/** Returns the hash that identifies the request's operation and body. */
export function hashRequest({ operation, body }: RepeatableRequest): Buffer {
  return createHash('sha256')
    .update(`${operation}\n${JSON.stringify(sorted(body)) ?? ''}`)
    .digest()
}

/**
 * Returns a copy with sorted keys, so that the serialized content does not depend on the field
 * order.
 */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!(value instanceof Object)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  )
}
