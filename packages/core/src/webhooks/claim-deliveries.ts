import type { PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type ClaimQuery, claimNext } from '../leases/claim-next.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { releaseLease } from '../leases/renew-lease.ts'
import { unsealSecret } from '../sealing/seal-secret.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'

/** A delivery claimed by this worker until the lease expires, with all data needed to send it. */
export interface DeliveryClaim {
  readonly id: string
  /** Fencing token. The result can be recorded only while this attempt is current. */
  readonly attempt: number
  /** Number of attempts that count so far, including this one. */
  readonly tries: number
  readonly endpointId: string
  readonly projectId: string
  readonly url: string
  readonly eventId: string
  readonly eventType: string
  /** The exact request body. */
  readonly payload: string
  /**
   * Signing secrets, newest first. Contains two for a day after a rotation. Null if they cannot be
   * decrypted.
   */
  readonly secrets: readonly string[] | null
}

export interface ClaimDeliveriesDeps extends PrismaDeps {
  readonly webhookKey: SealingKey
  readonly leaseSeconds: number
  /** Maximum number of concurrent deliveries per endpoint, across all workers. */
  readonly endpointConcurrency: number
  /** Maximum number of concurrent deliveries per project, across all workers. */
  readonly projectConcurrency: number
  /** Maximum number of attempts per delivery. */
  readonly maxTries: number
}

/** Lease table of deliveries. A delivery that has ended is not writable. */
export const DELIVERIES: LeaseTable<Pick<DeliveryClaim, 'id' | 'attempt'>> = {
  name: 'webhook_deliveries',
  writable: Prisma.sql`status = 'pending'`,
  toLease: ({ id, attempt }) => ({ id, fence: attempt }),
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
 * Claims up to `limit` due deliveries by adding an attempt and setting a new lease for each. The
 * project with the fewest active deliveries is next, failing endpoints have lower priority, and the
 * number of active deliveries per project is limited. A slow or unreachable receiver does not delay
 * the others, regardless of its backlog.
 */
export async function claimDeliveries(
  deps: ClaimDeliveriesDeps,
  { owner, limit }: { owner: string; limit: number },
): Promise<DeliveryClaim[]> {
  const { prisma, leaseSeconds, webhookKey } = deps
  const rows = await claimNext<Row>(prisma, DELIVERIES, toQuery(deps, limit), { owner, leaseSeconds })
  return rows.map((row) => toClaim(row, webhookKey))
}

/**
 * Releases a delivery on shutdown, so that another worker can send it immediately. The attempt does
 * not count. Does nothing when the lease is lost.
 */
export async function releaseDelivery(
  { prisma }: PrismaDeps,
  claim: Pick<DeliveryClaim, 'id' | 'attempt'>,
): Promise<void> {
  await releaseLease(prisma, DELIVERIES, claim, Prisma.sql`forgiven = forgiven + 1`)
}

function toQuery(deps: ClaimDeliveriesDeps, limit: number): ClaimQuery {
  const { endpointConcurrency, projectConcurrency, maxTries } = deps
  // Times compared with an indexed column are subqueries, because a volatile function is evaluated
  // for each row, so the whole index would be read.
  const chosen = Prisma.sql`waiting AS (
      -- Endpoints with pending deliveries. Uses a loose index scan, so the backlog size is
      -- irrelevant.
      (SELECT endpoint_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (
        SELECT d.endpoint_id FROM webhook_deliveries d
        WHERE d.status = 'pending' AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1
      ) FROM waiting w WHERE w.endpoint_id IS NOT NULL
    ), due AS (
      SELECT next.id, next.next_attempt_at, next.turn, e.project_id, (e.failing_since IS NOT NULL)::int AS is_failing
      FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id AND e.disabled_at IS NULL
      CROSS JOIN LATERAL (
        SELECT count(*) AS n FROM webhook_deliveries WHERE endpoint_id = e.id AND lease_until >= clock_timestamp()
      ) busy
      CROSS JOIN LATERAL (
        SELECT id, next_attempt_at, busy.n + row_number() OVER (ORDER BY next_attempt_at, id) AS turn
        FROM webhook_deliveries
        WHERE endpoint_id = e.id AND status = 'pending' AND next_attempt_at <= (SELECT clock_timestamp())
          AND attempt - forgiven < ${maxTries} AND (lease_until IS NULL OR lease_until < clock_timestamp())
        ORDER BY next_attempt_at, id LIMIT ${endpointConcurrency}
      ) next
      WHERE next.turn <= CASE WHEN e.failing_since IS NULL THEN ${endpointConcurrency} ELSE 1 END
    ), in_hand AS (
      SELECT e.project_id, count(*) AS n FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
      WHERE d.lease_until >= clock_timestamp() GROUP BY e.project_id
    ), ranked AS (
      SELECT id, next_attempt_at, is_failing, coalesce(in_hand.n, 0) + row_number() OVER (
          PARTITION BY due.project_id ORDER BY is_failing, turn, next_attempt_at, id
        ) AS turn
      FROM due LEFT JOIN in_hand ON in_hand.project_id = due.project_id
    ), chosen AS (
      SELECT id FROM ranked WHERE turn <= ${projectConcurrency}
      -- A failing endpoint ranks as if its project had two more active deliveries.
      ORDER BY turn + 2 * is_failing, next_attempt_at, id LIMIT ${limit}
    )`
  return {
    with: chosen,
    // Rechecked on the locked row, because another worker may have claimed the delivery.
    due: Prisma.sql`webhook_deliveries.id IN (SELECT id FROM chosen) AND webhook_deliveries.status = 'pending'
      AND webhook_deliveries.next_attempt_at <= clock_timestamp()
      AND webhook_deliveries.attempt - webhook_deliveries.forgiven < ${maxTries}`,
    order: Prisma.sql`webhook_deliveries.next_attempt_at, webhook_deliveries.id`,
    limit,
    select: Prisma.sql`
      SELECT c.id, c.fence AS attempt, c.fence - d.forgiven AS tries, d.endpoint_id, d.event_id, e.project_id, e.url, e.sealed_secret,
        CASE WHEN e.previous_until > clock_timestamp() THEN e.previous_sealed_secret END AS previous, v.type, v.payload
      FROM claimed c JOIN webhook_deliveries d ON d.id = c.id
      JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN webhook_events v ON v.id = d.event_id`,
  }
}

function toClaim(row: Row, key: SealingKey): DeliveryClaim {
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

/**
 * Decrypts an endpoint's secrets, or returns null. A row that cannot be decrypted must not block
 * other deliveries.
 */
function unsealAll(key: SealingKey, endpointId: string, sealed: readonly Uint8Array[]): string[] | null {
  try {
    return sealed.map((bytes) => unsealSecret(key, endpointId, bytes))
  } catch {
    return null
  }
}
