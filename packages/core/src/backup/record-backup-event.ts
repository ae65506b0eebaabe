import type { AuditContext } from '../audit/audit-context.ts'
import { type NewAuditEvent, recordAuditEvent } from '../audit/record-audit-event.ts'
import { openDatabase } from '../db/open-database.ts'

/** Records an event in the database that was backed up or restored. */
export async function recordBackupEvent(
  { url, audit }: { url: string; audit: AuditContext },
  event: NewAuditEvent,
): Promise<void> {
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  try {
    await recordAuditEvent(database.prisma, audit, event)
  } finally {
    await database.close()
  }
}
