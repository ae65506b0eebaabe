import type { AuditAction, AuditEvent } from '@corrigenda/contracts'
import { newId } from '../base/new-id.ts'
import { toStorable } from '../base/to-storable.ts'
import type { Db } from '../db/open-database.ts'
import type { SqlTx } from '../db/run-transaction.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'
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
export async function recordAuditEvent(tx: SqlTx, context: AuditContext, event: NewAuditEvent): Promise<void> {
  const { actor, ipAddress, requestId } = toStorable(context)
  const { action, projectId = null } = event
  const { target, before, after } = toStorable({
    target: event.target ?? null,
    before: event.before ?? null,
    after: event.after ?? null,
  })
  const id = newId('aud')
  const [{ createdAt, hasEndpoints }] = await tx.$queryRaw<[{ createdAt: Date; hasEndpoints: boolean }]>`
    INSERT INTO audit_events (id, created_at, action, actor_type, actor_id, actor_name, ip_address, request_id,
      project_id, target_type, target_id, target_name, before, after)
    VALUES (${id}, date_trunc('milliseconds', clock_timestamp()), ${action}, ${actor.type}, ${actor.id}, ${actor.name},
      ${ipAddress}, ${requestId}, ${projectId}, ${target?.type ?? null}, ${target?.id ?? null}, ${target?.name ?? null},
      ${before && JSON.stringify(before)}::jsonb, ${after && JSON.stringify(after)}::jsonb)
    RETURNING created_at AS "createdAt",
      EXISTS (SELECT FROM webhook_endpoints WHERE project_id = ${projectId} AND disabled_at IS NULL) AS "hasEndpoints"`
  if (projectId === null || !hasEndpoints) return
  const auditEvent = {
    id,
    createdAt: createdAt.toISOString(),
    action,
    actor,
    ipAddress,
    requestId,
    projectId,
    target,
    before,
    after,
  }
  await publishEvent(tx, { projectId, type: 'audit.event', data: { auditEvent } })
}

/**
 * Makes the database's triggers record accounts, sign-in methods and sessions that the transaction
 * writes as acts of this actor. Without it, they are recorded as acts of the account's user.
 */
export async function setAuditActor(tx: Db, { actor, ipAddress, requestId }: AuditContext): Promise<void> {
  const value = JSON.stringify(toStorable({ ...actor, ipAddress, requestId }))
  await tx.$executeRaw`SELECT set_config('corrigenda.actor', ${value}, true)`
}
