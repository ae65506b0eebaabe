export { type AuditContext, type AuditedDeps, COMMAND_LINE, SYSTEM, toUserContext } from './audit-context.ts'
export { type AuditScope, exportAuditEvents, listAuditEvents } from './list-audit-events.ts'
export { recordAuditEvent } from './record-audit-event.ts'
export { recordFailedSignIn } from './record-failed-sign-in.ts'
