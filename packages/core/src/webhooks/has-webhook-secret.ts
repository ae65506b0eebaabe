import type { Database } from '../db/open-database.ts'
import { unsealSecret } from '../sealing/seal-secret.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'
import { getEndpoint, type WebhookKey } from './get-webhook.ts'

/**
 * Returns true if deliveries to the endpoint are signed with this secret, and false for any other
 * secret, including one that cannot be decrypted.
 * @throws AppError `not_found`
 */
export async function hasWebhookSecret(
  { prisma, webhookKey }: Pick<Database, 'prisma'> & { readonly webhookKey: SealingKey },
  input: WebhookKey & { readonly secret: string },
): Promise<boolean> {
  const { id, sealedSecret } = await getEndpoint(prisma, input)
  try {
    return unsealSecret(webhookKey, id, sealedSecret) === input.secret
  } catch {
    return false
  }
}
