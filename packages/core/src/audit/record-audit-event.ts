import type { AuditAction, AuditEvent } from '@corrigenda/contracts'
import { newId } from '../base/new-id.ts'
import { toStorable } from '../base/to-storable.ts'
import type { Db } from '../db/open-database.ts'
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
  const act = JSON.stringify({ id: newId('aud'), action, actor, ipAddress, requestId, projectId, target })
  await tx.$executeRaw`
    SELECT record_act(${act}::jsonb, ${before && JSON.stringify(before)}::json, ${after && JSON.stringify(after)}::json,
      date_trunc('milliseconds', clock_timestamp()), list_subscribed(${projectId}, 'audit.event'))`
}

/**
 * Makes the database's triggers record accounts, sign-in methods and sessions that the transaction
 * writes as acts of this actor. Without it, they are recorded as acts of the account's user.
 */
export async function setAuditActor(tx: Db, { actor, ipAddress, requestId }: AuditContext): Promise<void> {
  const value = JSON.stringify(toStorable({ ...actor, ipAddress, requestId }))
  await tx.$executeRaw`SELECT set_config('corrigenda.actor', ${value}, true)`
}
