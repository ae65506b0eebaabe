import type { Database } from '../db/open-database.ts'
import { unsealSecret } from '../sealing/seal-secret.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'
import { toTokenContext } from './save-git-credential.ts'
import { PRIVATE_KEY_CONTEXT } from './save-github-app.ts'

/** A decrypted credential for a project's repository. */
export type StoredCredential =
  | {
      readonly kind: 'token'
      readonly token: string
      /** `host[:port]` of the project's repository when the token was saved. */
      readonly host: string
    }
  | {
      readonly kind: 'app'
      readonly appId: string
      readonly privateKey: string
      /** `host[:port]` of the Git host where the App is registered. */
      readonly host: string
    }

/**
 * Thrown when a stored secret cannot be decrypted because it was sealed under a different service
 * secret or modified.
 */
export class SealedCredentialError extends Error {
  constructor(readonly what: 'token' | 'app') {
    super('A stored credential cannot be decrypted.')
    this.name = 'SealedCredentialError'
  }
}

/**
 * Returns the stored credential for a project: the project's token, or the instance's App if the
 * project has no token. Returns null if neither is stored.
 * @throws SealedCredentialError
 */
export async function findStoredCredential(
  { prisma, credentialKey }: Pick<Database, 'prisma'> & { credentialKey: SealingKey },
  projectId: string,
): Promise<StoredCredential | null> {
  const own = await prisma.gitCredential.findUnique({ where: { projectId }, select: { sealedToken: true, host: true } })
  if (own) {
    return {
      kind: 'token',
      host: own.host,
      token: open('token', () => unsealSecret(credentialKey, toTokenContext(projectId), own.sealedToken)),
    }
  }
  const app = await prisma.githubApp.findUnique({
    where: { id: 1 },
    select: { appId: true, htmlUrl: true, sealedPrivateKey: true },
  })
  if (!app) return null
  return {
    kind: 'app',
    appId: String(app.appId),
    privateKey: open('app', () => unsealSecret(credentialKey, PRIVATE_KEY_CONTEXT, app.sealedPrivateKey)),
    host: new URL(app.htmlUrl).host,
  }
}

function open(what: 'token' | 'app', unseal: () => string): string {
  try {
    return unseal()
  } catch {
    throw new SealedCredentialError(what)
  }
}
