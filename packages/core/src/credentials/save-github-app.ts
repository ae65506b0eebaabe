import type { Database } from '../db/open-database.ts'
import type { Actor } from '../projects/update-project-settings.ts'
import { sealSecret } from '../sealing/seal-secret.ts'

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

/**
 * Stores this instance's App with its secrets sealed, replacing the previous App.
 * @param deps.credentialKey 32 bytes, see `deriveSecrets`
 */
export async function saveGitHubApp(
  { prisma, credentialKey }: Pick<Database, 'prisma'> & { credentialKey: Buffer },
  { app, actor }: { app: NewGitHubApp; actor: Actor },
): Promise<void> {
  const { appId, slug, name, htmlUrl, clientId } = app
  const seal = (context: string, secret: string | null) =>
    secret === null ? null : sealSecret(credentialKey, context, secret)
  const data = {
    ...{ appId, slug, name, htmlUrl, clientId },
    sealedPrivateKey: sealSecret(credentialKey, PRIVATE_KEY_CONTEXT, app.privateKey),
    sealedWebhookSecret: seal(WEBHOOK_SECRET_CONTEXT, app.webhookSecret),
    sealedClientSecret: seal(CLIENT_SECRET_CONTEXT, app.clientSecret),
    createdAt: new Date(),
    createdBy: actor.name,
    createdById: actor.id,
  }
  await prisma.githubApp.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data })
}
