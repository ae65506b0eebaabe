import type { Database } from '../db/open-database.ts'
import { unsealSecret } from './seal-secret.ts'

/** A delivery that this worker owns until its lease ends, with all that sending needs. */
export interface DeliveryClaim {
  readonly id: string
  /** Fence: whoever records the result must still hold this attempt. */
  readonly attempt: number
  /** Attempts that count so far, this one included. */
  readonly tries: number
  readonly endpointId: string
  readonly projectId: string
  readonly url: string
  readonly eventId: string
  readonly eventType: string
  /** The body, byte for byte. */
  readonly payload: string
  /** Signing secrets, the newest first; two for a day after a rotation. Null: they cannot be opened. */
  readonly secrets: readonly string[] | null
}

export interface ClaimDeliveriesDeps extends Pick<Database, 'prisma'> {
  readonly webhookKey: Buffer
  readonly leaseSeconds: number
  /** Deliveries of one endpoint at the same time, by all workers together. */
  readonly endpointConcurrency: number
  /** Attempts of one delivery. */
  readonly maxTries: number
}

interface Row {
  id: string
  attempt: number
  tries: number
  endpoint_id: string
  project_id: string
  url: string
  event_id: string
  type: string
  payload: string
  sealed_secret: Uint8Array
  previous: Uint8Array | null
}

/**
 * Claims up to `limit` deliveries that are due and that nobody works on: one more attempt, a fresh lease. Endpoints take turns, so that one with
 * much to catch up on does not hold up the others. Rows that somebody holds are skipped.
 */
export async function claimDeliveries(
  deps: ClaimDeliveriesDeps,
  input: { owner: string; limit: number },
): Promise<DeliveryClaim[]> {
  const { leaseSeconds, endpointConcurrency, maxTries } = deps
  const rows = await deps.prisma.$queryRaw<Row[]>`
    WITH chosen AS (
      SELECT due.id FROM webhook_endpoints e
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS n FROM webhook_deliveries WHERE endpoint_id = e.id AND lease_until >= clock_timestamp()
      ) busy
      CROSS JOIN LATERAL (
        SELECT id, next_attempt_at, row_number() OVER (ORDER BY next_attempt_at, id) AS turn FROM webhook_deliveries
        WHERE endpoint_id = e.id AND status = 'pending' AND next_attempt_at <= clock_timestamp()
          AND attempt - forgiven < ${maxTries} AND (lease_until IS NULL OR lease_until < clock_timestamp())
        ORDER BY next_attempt_at, id LIMIT ${endpointConcurrency}
      ) due
      WHERE e.disabled_at IS NULL AND due.turn + busy.n <= ${endpointConcurrency}
      ORDER BY due.turn, due.next_attempt_at, due.id LIMIT ${input.limit}
    ), held AS (
      -- Asked again on the row as it is now: another worker may have claimed it since.
      SELECT id FROM webhook_deliveries
      WHERE id IN (SELECT id FROM chosen) AND status = 'pending' AND next_attempt_at <= clock_timestamp()
        AND attempt - forgiven < ${maxTries} AND (lease_until IS NULL OR lease_until < clock_timestamp())
      FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE webhook_deliveries d
      SET attempt = d.attempt + 1, lease_owner = ${input.owner},
        lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      FROM held WHERE d.id = held.id
      RETURNING d.id, d.attempt, d.attempt - d.forgiven AS tries, d.endpoint_id, d.event_id
    )
    SELECT c.id, c.attempt, c.tries, c.endpoint_id, c.event_id, e.project_id, e.url, e.sealed_secret,
      CASE WHEN e.previous_until > clock_timestamp() THEN e.previous_sealed_secret END AS previous, v.type, v.payload
    FROM claimed c JOIN webhook_endpoints e ON e.id = c.endpoint_id JOIN webhook_events v ON v.id = c.event_id`
  return rows.map((row) => toClaim(row, deps.webhookKey))
}

function toClaim(row: Row, key: Buffer): DeliveryClaim {
  const sealed = row.previous ? [row.sealed_secret, row.previous] : [row.sealed_secret]
  return {
    id: row.id,
    attempt: row.attempt,
    tries: row.tries,
    endpointId: row.endpoint_id,
    projectId: row.project_id,
    url: row.url,
    eventId: row.event_id,
    eventType: row.type,
    payload: row.payload,
    secrets: unsealAll(key, row.endpoint_id, sealed),
  }
}

/** One row that cannot be opened must not keep the others from being delivered. */
function unsealAll(key: Buffer, endpointId: string, sealed: readonly Uint8Array[]): string[] | null {
  try {
    return sealed.map((bytes) => unsealSecret(key, endpointId, bytes))
  } catch {
    return null
  }
}
