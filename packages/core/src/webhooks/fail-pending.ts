import type { Db } from '../db/open-database.ts'

/**
 * Ends an endpoint's pending deliveries. A request in progress is not aborted, but its worker can
 * then only log the attempt and can no longer change the delivery's status.
 */
export async function failPending(tx: Db, endpointId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_deliveries
    SET status = 'failed', ended_at = clock_timestamp(), lease_until = NULL, lease_owner = NULL, last_error = 'endpoint_disabled'
    WHERE endpoint_id = ${endpointId} AND status = 'pending'`
}
