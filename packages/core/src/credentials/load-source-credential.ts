import type { Database } from '../db/open-database.ts'
import { unsealSecret } from '../sealing/seal-secret.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'
import { SealedCredentialError, type StoredCredential } from './find-stored-credential.ts'
import { toSourceCredentialId, toSourceTokenContext } from './source-token-context.ts'

/**
 * Returns a source's own token, or null if none is stored. It must be sent only to its `host`.
 * @throws SealedCredentialError
 */
export async function loadSourceCredential(
  { prisma, credentialKey }: Pick<Database, 'prisma'> & { readonly credentialKey: SealingKey },
  { projectId, source }: { readonly projectId: string; readonly source: string },
): Promise<Extract<StoredCredential, { kind: 'token' }> | null> {
  const own = await prisma.sourceCredential.findUnique({
    where: { projectId_source: { projectId, source } },
    select: { sealedToken: true, host: true },
  })
  if (own === null) return null
  const context = toSourceTokenContext(toSourceCredentialId(projectId, source))
  try {
    return { kind: 'token', host: own.host, token: unsealSecret(credentialKey, context, own.sealedToken) }
  } catch {
    throw new SealedCredentialError('token')
  }
}
