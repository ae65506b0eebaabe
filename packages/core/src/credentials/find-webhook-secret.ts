import type { Database } from '../db/open-database.ts'
import { unsealSecret } from '../sealing/seal-secret.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'
import { SealedCredentialError } from './find-stored-credential.ts'
import { WEBHOOK_SECRET_CONTEXT } from './save-github-app.ts'

/**
 * Returns the webhook signing secret of this instance's App, or null if no App is stored or it
 * sends no webhooks.
 * @throws SealedCredentialError
 */
export async function findWebhookSecret({
  prisma,
  credentialKey,
}: Pick<Database, 'prisma'> & { credentialKey: SealingKey }): Promise<string | null> {
  const app = await prisma.githubApp.findUnique({ where: { id: 1 }, select: { sealedWebhookSecret: true } })
  if (!app?.sealedWebhookSecret) return null
  try {
    return unsealSecret(credentialKey, WEBHOOK_SECRET_CONTEXT, app.sealedWebhookSecret)
  } catch {
    throw new SealedCredentialError('app')
  }
}
