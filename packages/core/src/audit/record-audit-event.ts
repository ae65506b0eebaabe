import type { AuditAction, AuditEvent } from '@corrigenda/contracts'
import { newId } from '../base/new-id.ts'
import { toStorable } from '../base/to-storable.ts'
import type { Db } from '../db/open-database.ts'
import { insertEvent } from '../webhook-events/publish-event.ts'
import type { AuditContext } from './audit-context.ts'

type Fields = AuditEvent['before']

export interface NewAuditEvent {
  readonly action: AuditAction
  /** Null or omitted for acts that concern the whole instance. */
  readonly projectId?: string | null
  readonly target?: AuditEvent['target']
  /** The changed fields, without secrets. */
  readonly before?: Fields
  readonly after?: Fields
}

/**
 * Records an act in the audit log and publishes it to the project's endpoints that subscribe to
 * `audit.event`. Call it in the transaction of the act, so that both are committed or neither is.
 */
export async function recordAuditEvent(
  tx: Db,
  { actor, ipAddress, requestId }: AuditContext,
  event: NewAuditEvent,
): Promise<void> {
  const { action, projectId = null, target = null } = event
  const { before = null, after = null } = toStorable({ before: event.before, after: event.after })
  const id = newId('aud')
  const [row] = await tx.$queryRaw<[{ created_at: Date; endpoints: string[] }]>`
    WITH inserted AS (
      INSERT INTO audit_events (id, action, actor_type, actor_id, actor_name, ip_address, request_id, project_id,
        target_type, target_id, target_name, before, after)
      VALUES (${id}, ${action}, ${actor.type}, ${actor.id}, ${actor.name}, ${ipAddress}, ${requestId}, ${projectId},
        ${target?.type ?? null}, ${target?.id ?? null}, ${target?.name ?? null},
        ${before && JSON.stringify(before)}::jsonb, ${after && JSON.stringify(after)}::jsonb)
      RETURNING created_at
    ), subscribed AS (
      SELECT id FROM webhook_endpoints
      WHERE project_id = ${projectId} AND disabled_at IS NULL AND 'audit.event' = ANY (events)
      ORDER BY id FOR KEY SHARE
    )
    SELECT created_at, ARRAY(SELECT id FROM subscribed) AS endpoints FROM inserted`
  if (projectId === null || row.endpoints.length === 0) return
  const auditEvent: AuditEvent = {
    ...{ id, createdAt: row.created_at.toISOString(), action, actor, ipAddress, requestId, projectId, target },
    ...{ before, after },
  }
  await insertEvent(tx, { projectId, type: 'audit.event', data: { auditEvent } }, row.endpoints)
}

/**
 * Makes the database's triggers record accounts, sign-in methods and sessions that the transaction
 * writes as acts of this actor. Without it, they are recorded as acts of the account's user.
 */
export async function setAuditActor(tx: Db, { actor, ipAddress, requestId }: AuditContext): Promise<void> {
  const value = JSON.stringify(toStorable({ ...actor, ipAddress, requestId }))
  await tx.$executeRaw`SELECT set_config('corrigenda.actor', ${value}, true)`
}
