import { createHash } from 'node:crypto'
import type { AgentJob } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { SqlTx } from '../db/run-transaction.ts'
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
  /** True if the stored response is valid only as long as its job is active. */
  readonly whileActive?: boolean
}

/**
 * Returns the stored response to an earlier request with the same key, or null when the request has
 * no key or the key is unused. Keys expire by the database clock, which sets their time of creation.
 * @throws AppError `idempotency_mismatch` when the key was used for a different request
 */
export async function findStoredAnswer(tx: SqlTx, request: RepeatableRequest | null): Promise<AgentJob | null> {
  if (request === null) return null
  const { projectId, key, whileActive = false } = request
  const [stored] = await tx.$queryRaw<{ requestHash: Uint8Array; response: string }[]>`
    SELECT request_hash AS "requestHash", response FROM idempotency_keys
    WHERE project_id = ${projectId} AND key = ${key}
      AND created_at > (SELECT clock_timestamp()) - make_interval(hours => ${IDEMPOTENCY_HOURS}::int)
      AND (NOT ${whileActive} OR EXISTS (
        SELECT FROM jobs WHERE jobs.id = response::json ->> 'id' AND jobs.status = 'active'))`
  if (stored === undefined) return null
  if (!hashRequest(request).equals(stored.requestHash)) {
    throw new AppError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with a different body or path. Use a new key for a new request.',
    )
  }
  return JSON.parse(stored.response)
}

/**
 * Stores the response for later requests with the same key, and replaces one that is no longer valid.
 * Call it in the transaction that performs the operation.
 * @throws AppError `idempotency_in_flight` if a request with the same key has stored its response since
 * {@link findStoredAnswer}
 */
export async function storeAnswer(tx: SqlTx, request: RepeatableRequest, job: AgentJob): Promise<void> {
  const { projectId, key, whileActive = false } = request
  const stored = await tx.$executeRaw`
    INSERT INTO idempotency_keys (project_id, key, request_hash, response, created_at)
    VALUES (${projectId}, ${key}, ${hashRequest(request)}, ${JSON.stringify(job)}, clock_timestamp())
    ON CONFLICT (project_id, key) DO UPDATE
    SET request_hash = excluded.request_hash, response = excluded.response, created_at = excluded.created_at
    WHERE ${whileActive}
      OR idempotency_keys.created_at <= clock_timestamp() - make_interval(hours => ${IDEMPOTENCY_HOURS}::int)`
  if (stored > 0) return
  throw new AppError(
    'idempotency_in_flight',
    'A request with this Idempotency-Key is still running. Try again in a moment.',
    1,
  )
}

/** Returns the hash that identifies the request's operation and body. */
function hashRequest({ operation, body }: RepeatableRequest): Buffer {
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
