import type { AuditAction, AuditEvent } from '@corrigenda/contracts'

/** What was done, in the past tense, after the actor's name. `{target}` is the name of the object. */
const VERBS: Readonly<Record<AuditAction, string>> = {
  'account.created': 'created the account of {target}',
  'account.deleted': 'deleted the account of {target}',
  'account.renamed': 'changed the name of an account to {target}',
  'account.password_set': 'set the password of {target}',
  'account.provider_linked': 'linked a sign-in provider to {target}',
  'account.provider_unlinked': 'unlinked a sign-in provider',
  'account.sign_in_link_created': 'created a sign-in link for {target}',
  'account.admin_granted': 'granted admin access to {target}',
  'account.admin_revoked': 'removed admin access from {target}',
  'session.signed_in': 'signed in',
  'session.sign_in_failed': 'failed to sign in as {target}',
  'session.ended': 'ended a session',
  'project.created': 'created the project {target}',
  'project.settings_changed': 'changed the project settings',
  'project.deleted': 'deleted the project {target}',
  'project.exported': 'exported the settings of {target}',
  'member.joined': 'added {target} to the project',
  'member.role_changed': 'changed the role of {target}',
  'member.removed': 'removed {target} from the project',
  'invitation.created': 'created an invitation for {target}',
  'invitation.revoked': 'revoked an invitation for {target}',
  'key.created': 'created the API key {target}',
  'key.rotated': 'rotated the API key {target}',
  'key.revoked': 'revoked the API key {target}',
  'credential.saved': 'saved an access token for {target}',
  'credential.deleted': 'removed the access token for {target}',
  'connection_check.started': 'checked the repository connection',
  'webhook.created': 'added a webhook to {target}',
  'webhook.updated': 'changed the webhook to {target}',
  'webhook.deleted': 'deleted the webhook to {target}',
  'webhook.secret_rotated': 'rotated the secret of the webhook to {target}',
  'webhook.tested': 'sent a test event to {target}',
  'webhook.redelivered': 'redelivered an event to {target}',
  'job.created': 'created a job',
  'job.message_sent': 'sent a follow-up to a job',
  'job.cancelled': 'cancelled a job',
  'job.archived': 'archived a job',
  'job.unarchived': 'unarchived a job',
  'job.retried': 'retried a job',
  'job.deleted': 'deleted a job',
  'job.token_created': 'created a token that reads a job',
  'saved_prompt.created': 'saved the prompt {target}',
  'saved_prompt.updated': 'changed the saved prompt {target}',
  'saved_prompt.deleted': 'deleted the saved prompt {target}',
  'deployment.started': 'started a deployment',
  'github_app.registration_started': 'began registering a GitHub App',
  'github_app.created': 'created the GitHub App {target}',
  'github_app.deleted': 'removed the GitHub App {target}',
  'signing_key.created': 'created the key that signs commits',
  'signing_key.deleted': 'deleted the key that signs commits',
  'secret.rotated': 'replaced the service secret',
  'backup.created': 'backed up the database',
  'backup.restored': 'restored a backup',
}

/** Describes an act without its actor, such as `revoked the API key release-bot`. */
export function toAuditSentence({ action, actor, target }: Pick<AuditEvent, 'action' | 'actor' | 'target'>): string {
  if (action === 'member.joined' && actor.id === target?.id) return 'joined the project'
  const fallback = target?.type === 'invitation' ? 'anyone with the link' : (target?.id ?? '')
  return VERBS[action].replace('{target}', () => target?.name ?? fallback)
}

/** Name of the actor at the start of a sentence. */
export function toActorName({ type, name }: AuditEvent['actor']): string {
  if (type === 'command_line') return 'An operator on the command line'
  return type === 'anonymous' ? 'A visitor' : name
}

/** Name of an action in the filter, such as `Key: revoked`. */
export function toActionLabel(action: AuditAction): string {
  const [object = '', verb = ''] = action.replaceAll('_', ' ').split('.')
  const name = object === 'github app' ? 'GitHub App' : `${object[0]?.toUpperCase()}${object.slice(1)}`
  return `${name}: ${verb}`
}
