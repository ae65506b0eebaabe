import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { sealSecret } from '../sealing/seal-secret.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'

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
      ...{ appId, slug, name, htmlUrl, clientId },
      sealedPrivateKey: sealSecret(key, PRIVATE_KEY_CONTEXT, app.privateKey),
      sealedWebhookSecret: seal(WEBHOOK_SECRET_CONTEXT, app.webhookSecret),
      sealedClientSecret: seal(CLIENT_SECRET_CONTEXT, app.clientSecret),
      createdAt: new Date(),
      createdBy: audit.actor.name,
      createdById: audit.actor.id,
    }
    await tx.githubApp.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'github_app.created', target: { type: 'github_app', id: String(appId), name: slug } },
    })
  })
}
