import {
  type AuditTarget,
  type CreatedWebhook,
  type CreateWebhookRequest,
  MAX_WEBHOOKS,
  type RotatedWebhookSecret,
  type UpdatedWebhook,
  type UpdateWebhookRequest,
  Webhook,
} from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { toChangedFields } from '../audit/to-changed-fields.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import { lockProject } from '../db/lock-project.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { readDatabaseTime } from '../db/read-database-time.ts'
import type { WebhookEndpointModel } from '../generated/prisma/models/WebhookEndpoint.ts'
import type { HookRules } from '../hook-addresses/find-hook-grant.ts'
import { toHookUrl } from '../hook-addresses/to-hook-url.ts'
import { countEvent } from '../metrics/count-event.ts'
import { newWebhookSecret, sealSecret, unsealSecret } from '../sealing/seal-secret.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'

interface WebhookDeps extends AuditedDeps {
  /** Seals the stored secrets. */
  readonly webhookKey: SealingKey
  readonly allowedHookHosts: readonly string[]
}

/** Identifies an endpoint. The project is null in commands that access the database directly. */
export interface WebhookKey {
  readonly projectId: string | null
  readonly id: string
}

/** Time during which deliveries are also signed with the old secret, in hours. */
const GRACE_HOURS = 24

/**
 * Adds an endpoint to a project. Returns its secret, which is not returned again.
 * @param input.secret in the format of `WebhookSecret`. Default: a random secret
 * @throws AppError `not_found` for the project, `invalid_request` for the URL, `webhook_limit`
 */
export async function createWebhook(
  { prisma, audit, webhookKey, allowedHookHosts }: WebhookDeps,
  input: { projectId: string; secret?: string } & CreateWebhookRequest,
): Promise<CreatedWebhook> {
  const { projectId, description } = input
  const url = toEndpointUrl(input.url, { allowedHosts: allowedHookHosts, projectId })
  return prisma.$transaction(async (tx) => {
    await lockProject(tx, projectId)
    if ((await tx.webhookEndpoint.count({ where: { projectId } })) >= MAX_WEBHOOKS) {
      throw new AppError('webhook_limit', `A project can have at most ${MAX_WEBHOOKS} webhooks. Delete one first.`)
    }
    const id = newId('whe')
    const secret = input.secret ?? newWebhookSecret()
    const events = [...new Set(input.events)]
    const sealedSecret = sealSecret(await toActiveKey(tx, webhookKey), id, secret)
    const row = await tx.webhookEndpoint.create({ data: { id, projectId, url, description, events, sealedSecret } })
    await recordAuditEvent(tx, audit, {
      action: 'webhook.created',
      projectId,
      target: toTarget(row),
      after: toRecordedFields(row),
    })
    return { ...toWebhook(row), secret }
  })
}

/** @throws AppError `not_found`, including for another project's endpoint */
export async function getWebhook({ prisma }: PrismaDeps, key: WebhookKey): Promise<Webhook> {
  return toWebhook(await getEndpoint(prisma, key))
}

/** Lists the endpoints of one project (or all projects if `projectId` is null), oldest first. */
export async function listWebhooks({ prisma }: PrismaDeps, projectId: string | null): Promise<Webhook[]> {
  const where = projectId === null ? {} : { projectId }
  const rows = await prisma.webhookEndpoint.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
  return rows.map(toWebhook)
}

/**
 * Updates the given fields. Disabling ends pending deliveries. Enabling clears the failure state.
 * Deliveries that failed while the endpoint was disabled can be redelivered. A URL on another host
 * gets a new secret, which is not returned again. The old one is void at once, because the previous
 * receiver would accept requests that the new one forwards.
 * @throws AppError `not_found`, `invalid_request` for the URL
 */
export async function updateWebhook(
  { prisma, audit, webhookKey, allowedHookHosts }: WebhookDeps,
  input: WebhookKey & { change: UpdateWebhookRequest },
): Promise<UpdatedWebhook> {
  const { url, description, events, disabled } = input.change
  const { result, projectId, failed } = await prisma.$transaction(async (tx) => {
    const row = await lockEndpoint(tx, input)
    const { id, projectId } = row
    const change: Partial<WebhookEndpointModel> = {}
    if (description !== undefined) change.description = description
    if (events !== undefined) change.events = [...new Set(events)]
    if (disabled === false) Object.assign(change, { disabledAt: null, disabledReason: null, failingSince: null })
    let secret: string | null = null
    let failed = 0
    if (url !== undefined) {
      change.url = toEndpointUrl(url, { allowedHosts: allowedHookHosts, projectId })
      // Earlier failures apply to the previous URL.
      change.failingSince = null
      if (new URL(change.url).host !== new URL(row.url).host) {
        secret = newWebhookSecret()
        change.sealedSecret = sealSecret(await toActiveKey(tx, webhookKey), id, secret)
        change.previousSealedSecret = null
        change.previousUntil = null
      }
    }
    if (disabled === true && row.disabledAt === null) {
      change.disabledAt = new Date()
      change.disabledReason = 'manual'
      failed = await failPending(tx, id)
    }
    const updated = await tx.webhookEndpoint.update({ where: { id }, data: change })
    const changed = toChangedFields(toRecordedFields(row), toRecordedFields(updated))
    // Another path on the same origin is a change, too, but the path may be secret.
    if (Object.keys(changed.after).length > 0 || row.url !== updated.url) {
      await recordAuditEvent(tx, audit, { action: 'webhook.updated', projectId, target: toTarget(updated), ...changed })
    }
    return { result: { ...toWebhook(updated), ...(secret === null ? {} : { secret }) }, projectId, failed }
  })
  countEvent('corrigenda_webhook_deliveries_total', { projectId, status: 'failed', value: failed })
  return result
}

/**
 * Removes an endpoint and its delivery log. A request in progress may still arrive.
 * @throws AppError `not_found`
 */
export async function deleteWebhook({ prisma, audit }: AuditedDeps, key: WebhookKey): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, key)
    const { id, projectId } = endpoint
    await tx.webhookEndpoint.delete({ where: { id } })
    await recordAuditEvent(tx, audit, {
      action: 'webhook.deleted',
      projectId,
      target: toTarget(endpoint),
      before: toRecordedFields(endpoint),
    })
  })
}

/**
 * Rotates an endpoint's secret. For a day, every delivery is signed with both secrets, so that
 * receivers can switch at any time.
 * @param input.secret in the format of `WebhookSecret`. Default: a random secret
 * @throws AppError `not_found`
 */
export function rotateWebhookSecret(
  { prisma, audit, webhookKey }: Omit<WebhookDeps, 'allowedHookHosts'>,
  input: WebhookKey & { readonly secret?: string },
): Promise<RotatedWebhookSecret> {
  return prisma.$transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, input)
    const { id, projectId, sealedSecret: previousSealedSecret } = endpoint
    const secret = input.secret ?? newWebhookSecret()
    const sealedSecret = sealSecret(await toActiveKey(tx, webhookKey), id, secret)
    const previousUntil = new Date(Date.now() + GRACE_HOURS * 3_600_000)
    await tx.webhookEndpoint.update({ where: { id }, data: { sealedSecret, previousSealedSecret, previousUntil } })
    await recordAuditEvent(tx, audit, { action: 'webhook.secret_rotated', projectId, target: toTarget(endpoint) })
    return { id, secret, previousValidUntil: previousUntil.toISOString() }
  })
}

/**
 * Returns true if deliveries to the endpoint are signed with this secret, and false for any other
 * secret, including one that cannot be decrypted.
 * @throws AppError `not_found`
 */
export async function hasWebhookSecret(
  { prisma, webhookKey }: Pick<WebhookDeps, 'prisma' | 'webhookKey'>,
  input: WebhookKey & { readonly secret: string },
): Promise<boolean> {
  const { id, sealedSecret } = await getEndpoint(prisma, input)
  try {
    return unsealSecret(webhookKey, id, sealedSecret) === input.secret
  } catch {
    return false
  }
}

/**
 * Validates an endpoint URL by the rules for deploy hooks and returns its stored form.
 * @throws AppError `invalid_request` with the reason
 */
export function toEndpointUrl(text: string, rules: HookRules): string {
  try {
    return toHookUrl(text, rules, 'The webhook URL')
  } catch (error) {
    throw new AppError('invalid_request', error instanceof Error ? error.message : 'The URL is invalid.')
  }
}

/** @throws AppError `not_found` */
export async function getEndpoint(db: Db, key: WebhookKey): Promise<WebhookEndpointModel> {
  return toFound(await findEndpoint(db, key))
}

/**
 * Returns the endpoint's row, which stays locked until the transaction ends.
 * @throws AppError `not_found`
 */
export async function lockEndpoint(tx: Db, key: WebhookKey): Promise<WebhookEndpointModel> {
  return toFound(await findLocked(tx, key))
}

/** As {@link lockEndpoint}, but returns null for an unknown endpoint. */
export async function findLocked(tx: Db, key: WebhookKey): Promise<WebhookEndpointModel | null> {
  const { projectId, id } = key
  await tx.$queryRaw`
    SELECT 1 FROM webhook_endpoints
    WHERE id = ${id} AND (${projectId}::text IS NULL OR project_id = ${projectId}::text) FOR NO KEY UPDATE`
  return findEndpoint(tx, key)
}

const findEndpoint = (db: Db, { projectId, id }: WebhookKey) =>
  db.webhookEndpoint.findFirst({ where: projectId === null ? { id } : { id, projectId } })

function toFound(row: WebhookEndpointModel | null): WebhookEndpointModel {
  if (!row) throw new AppError('not_found', 'Not found.')
  return row
}

/**
 * Disables an endpoint that keeps failing or has returned 410, and publishes an event to the
 * project's other endpoints. The caller must have locked the endpoint's row.
 * @returns the number of deliveries that failed
 */
export async function disableEndpoint(
  tx: Db,
  { id, projectId, url }: Pick<WebhookEndpointModel, 'id' | 'projectId' | 'url'>,
  reason: 'gone' | 'failing',
): Promise<number> {
  const disabledAt = new Date()
  await tx.webhookEndpoint.update({ where: { id }, data: { disabledAt, disabledReason: reason } })
  const failed = await failPending(tx, id)
  const data = { webhook: { id, host: new URL(url).host, disabledAt: disabledAt.toISOString(), reason } }
  await publishEvent(tx, { projectId, type: 'webhook.disabled', data, keep: true })
  return failed
}

/**
 * Ends an endpoint's pending deliveries. A request in progress is not aborted, but its worker can
 * then only log the attempt and can no longer change the delivery's status.
 */
async function failPending(tx: Db, endpointId: string): Promise<number> {
  const ended = { leaseUntil: null, leaseOwner: null, endedAt: await readDatabaseTime(tx) }
  const { count } = await tx.webhookDelivery.updateMany({
    where: { endpointId, status: 'pending' },
    data: { status: 'failed', lastError: 'endpoint_disabled', ...ended },
  })
  return count
}

/**
 * Names an endpoint in the audit log by its origin, because the path and the query of its URL can
 * contain a secret.
 */
export const toTarget = ({ id, url }: Pick<WebhookEndpointModel, 'id' | 'url'>): AuditTarget => ({
  type: 'webhook',
  id,
  name: new URL(url).origin,
})

/** Returns an endpoint's settings as the audit log records them. */
const toRecordedFields = ({ url, description, events, disabledAt }: WebhookEndpointModel) => ({
  origin: new URL(url).origin,
  description,
  events,
  isDisabled: disabledAt !== null,
})

/** Converts a row to its API representation, without its secret. */
function toWebhook(row: WebhookEndpointModel): Webhook {
  return {
    id: row.id,
    projectId: row.projectId,
    url: row.url,
    description: row.description,
    events: row.events,
    secret: 'whsec_********',
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    disabledReason: Webhook.shape.disabledReason.parse(row.disabledReason),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
