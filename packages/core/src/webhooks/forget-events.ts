import type { Database } from '../db/open-database.ts'

/** Retention period for events and their delivery logs, in days. */
export const KEEP_DAYS = 30

/**
 * Deletes one batch of old events and their deliveries.
 * @returns the number of deleted events
 */
export function forgetEvents({ prisma }: Pick<Database, 'prisma'>): Promise<number> {
  return prisma.$executeRaw`
    DELETE FROM webhook_events WHERE ctid = ANY (ARRAY(
      SELECT v.ctid FROM webhook_events v
      WHERE v.created_at < (SELECT clock_timestamp()) - make_interval(days => ${KEEP_DAYS})
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = v.id AND d.status = 'pending')
      ORDER BY v.created_at LIMIT 500 FOR UPDATE SKIP LOCKED
    ))`
}
