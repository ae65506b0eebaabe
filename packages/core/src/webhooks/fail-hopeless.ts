import type { Database } from '../db/open-database.ts'

/**
 * Ends deliveries that have no attempts left because their workers crashed, and deliveries whose
 * endpoint was disabled while the event was being written.
 * @returns the number of ended deliveries
 */
export function failHopeless({ prisma }: Pick<Database, 'prisma'>, input: { maxTries: number }): Promise<number> {
  return prisma.$executeRaw`
    UPDATE webhook_deliveries
    SET status = 'failed', ended_at = clock_timestamp(), lease_until = NULL, lease_owner = NULL,
      last_error = CASE WHEN attempt - forgiven >= ${input.maxTries} THEN 'worker_lost' ELSE 'endpoint_disabled' END
    WHERE id IN (
      SELECT d.id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
      WHERE d.status = 'pending' AND (d.attempt - d.forgiven >= ${input.maxTries} OR e.disabled_at IS NOT NULL)
        AND (d.lease_until IS NULL OR d.lease_until < clock_timestamp())
      LIMIT 100 FOR UPDATE OF d SKIP LOCKED
    )`
}
