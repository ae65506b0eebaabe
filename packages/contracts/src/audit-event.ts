import { z } from 'zod'

const timestamp = z.iso.datetime({ precision: 3 })

/** What an audit event records, as `object.verb`. */
export const AuditAction = z.enum([
  'account.created',
  'account.deleted',
  'account.renamed',
  'account.password_set',
  'account.provider_linked',
  'account.provider_unlinked',
  'account.sign_in_link_created',
  'account.admin_granted',
  'account.admin_revoked',
  'session.signed_in',
  'session.sign_in_failed',
  'session.ended',
  'project.created',
  'project.settings_changed',
  'project.deleted',
  'project.exported',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'invitation.created',
  'invitation.revoked',
  'key.created',
  'key.rotated',
  'key.revoked',
  'credential.saved',
  'credential.deleted',
  'connection_check.started',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.tested',
  'webhook.redelivered',
  'job.created',
  'job.message_sent',
  'job.cancelled',
  'job.archived',
  'job.unarchived',
  'job.retried',
  'job.deleted',
  'job.token_created',
  'saved_prompt.created',
  'saved_prompt.updated',
  'saved_prompt.deleted',
  'deployment.started',
  'github_app.registration_started',
  'github_app.created',
  'github_app.deleted',
  'signing_key.created',
  'signing_key.deleted',
  'secret.rotated',
  'backup.created',
  'backup.restored',
])
export type AuditAction = z.infer<typeof AuditAction>

/**
 * Who acted. `id` is the id of the user or the API key, and null for the command line, for the
 * service itself, and for callers that are not signed in.
 */
export const AuditActor = z.object({
  type: z.enum(['user', 'key', 'command_line', 'anonymous', 'system']),
  id: z.string().nullable(),
  /** Name at the time of the act. */
  name: z.string(),
})
export type AuditActor = z.infer<typeof AuditActor>

/** The object of an act, with its name at that time. */
export const AuditTarget = z.object({ type: z.string(), id: z.string(), name: z.string().nullable() })
export type AuditTarget = z.infer<typeof AuditTarget>

const fields = z.record(z.string(), z.unknown()).nullable()

/** One act in the audit log. */
export const AuditEvent = z.object({
  id: z.string(),
  createdAt: timestamp,
  action: AuditAction,
  actor: AuditActor,
  ipAddress: z.string().nullable(),
  /** The `x-request-id` of the request, which is also in the service log. */
  requestId: z.string().nullable(),
  /** Null for acts that concern the whole instance. The project may no longer exist. */
  projectId: z.string().nullable(),
  target: AuditTarget.nullable(),
  /** The changed fields before and after the act, without secrets. */
  before: fields,
  after: fields,
})
export type AuditEvent = z.infer<typeof AuditEvent>

/** Filters of the audit log. `actor` is the id of a user or a key. */
export const AuditFilter = z.strictObject({
  action: AuditAction.optional(),
  actor: z.string().max(100).optional(),
  /** First and last moment, inclusive and exclusive. */
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
})
export type AuditFilter = z.infer<typeof AuditFilter>

/** Query of GET …/audit-events. */
export const ListAuditEventsQuery = z.strictObject({
  ...AuditFilter.shape,
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** `nextCursor` of the previous page. */
  cursor: z.string().max(200).optional(),
})
export type ListAuditEventsQuery = z.infer<typeof ListAuditEventsQuery>

/** A page of audit events, newest first. `nextCursor` is null on the last page. */
export const AuditEventPage = z.object({ events: z.array(AuditEvent), nextCursor: z.string().nullable() })
export type AuditEventPage = z.infer<typeof AuditEventPage>
