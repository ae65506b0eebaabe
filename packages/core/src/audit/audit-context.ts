import type { AuditActor } from '@corrigenda/contracts'
import type { PrismaDeps } from '../db/open-database.ts'

/** Who acts, and from where, as recorded in the audit log. */
export interface AuditContext {
  readonly actor: AuditActor
  /** Null for the command line and the service itself. */
  readonly ipAddress: string | null
  readonly requestId: string | null
}

/** Dependencies of an operation that is recorded in the audit log. */
export interface AuditedDeps extends PrismaDeps {
  readonly audit: AuditContext
}

/** The context of acts of the service itself. */
export const SYSTEM: AuditContext = {
  actor: { type: 'system', id: null, name: 'Corrigenda' },
  ipAddress: null,
  requestId: null,
}

/** The context of commands that use the database directly. */
export const COMMAND_LINE: AuditContext = {
  actor: { type: 'command_line', id: null, name: 'command line' },
  ipAddress: null,
  requestId: null,
}

/** Returns the context of an act whose user is known only during the act. */
export function toUserContext(
  context: AuditContext,
  user: { readonly id: string; readonly name: string },
): AuditContext {
  return { ...context, actor: { type: 'user', ...user } }
}
