import type { GitHubApp } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import { sealSecret } from '../sealing/seal-secret.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'
import { unsealCredential } from './stored-credential.ts'

export const PRIVATE_KEY_CONTEXT = 'github-app:private-key'
export const WEBHOOK_SECRET_CONTEXT = 'github-app:webhook-secret'
export const CLIENT_SECRET_CONTEXT = 'github-app:client-secret'

/** A newly registered App. The Git host returns these values only once. */
export interface NewGitHubApp {
  readonly appId: number
  readonly slug: string
  readonly name: string
  readonly htmlUrl: string
  readonly clientId: string | null
  /** In PEM format. */
  readonly privateKey: string
  readonly webhookSecret: string | null
  readonly clientSecret: string | null
}

/** Stores this instance's App with its secrets sealed, replacing the previous App. */
export async function saveGitHubApp(
  { prisma, credentialKey, audit }: AuditedDeps & { credentialKey: SealingKey },
  { app }: { app: NewGitHubApp },
): Promise<void> {
  const { appId, slug, name, htmlUrl, clientId } = app
  await prisma.$transaction(async (tx) => {
    const key = await toActiveKey(tx, credentialKey)
    const seal = (context: string, secret: string | null) => (secret === null ? null : sealSecret(key, context, secret))
    const data = {
      appId,
      slug,
      name,
      htmlUrl,
      clientId,
      sealedPrivateKey: sealSecret(key, PRIVATE_KEY_CONTEXT, app.privateKey),
      sealedWebhookSecret: seal(WEBHOOK_SECRET_CONTEXT, app.webhookSecret),
      sealedClientSecret: seal(CLIENT_SECRET_CONTEXT, app.clientSecret),
      createdAt: new Date(),
      createdBy: audit.actor.name,
      createdById: audit.actor.id,
    }
    await tx.githubApp.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data })
    await recordAuditEvent(tx, audit, {
      action: 'github_app.created',
      target: { type: 'github_app', id: String(appId), name: slug },
    })
  })
}

/** Returns this instance's App without its secrets, or null if no App is stored. */
export async function findGitHubApp({ prisma }: PrismaDeps): Promise<GitHubApp | null> {
  const app = await prisma.githubApp.findUnique({ where: { id: 1 }, select: { slug: true, name: true, htmlUrl: true } })
  return app && { ...app, installUrl: `${app.htmlUrl.replace(/\/$/, '')}/installations/new` }
}

/**
 * Returns the webhook signing secret of this instance's App, or null if no App is stored or it
 * sends no webhooks.
 * @throws SealedCredentialError
 */
export async function findWebhookSecret({
  prisma,
  credentialKey,
}: PrismaDeps & { credentialKey: SealingKey }): Promise<string | null> {
  const app = await prisma.githubApp.findUnique({ where: { id: 1 }, select: { sealedWebhookSecret: true } })
  if (!app?.sealedWebhookSecret) return null
  return unsealCredential(credentialKey, {
    what: 'app',
    context: WEBHOOK_SECRET_CONTEXT,
    sealed: app.sealedWebhookSecret,
  })
}

/**
 * Deletes this instance's App. The App remains registered with the Git host until it is deleted
 * there. Idempotent.
 */
export async function deleteGitHubApp({ prisma, audit }: AuditedDeps): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const found = await tx.githubApp.findFirst({ select: { appId: true, slug: true } })
    const { count } = await tx.githubApp.deleteMany({})
    if (!found || count === 0) return
    const target = { type: 'github_app', id: String(found.appId), name: found.slug }
    await recordAuditEvent(tx, audit, { action: 'github_app.deleted', target })
  })
}
