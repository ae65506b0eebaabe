import type { Database } from '../db/open-database.ts'
import { unsealSecret } from '../sealing/seal-secret.ts'
import { toTokenContext } from './save-git-credential.ts'
import { PRIVATE_KEY_CONTEXT } from './save-github-app.ts'

/** A credential for a project's repository, in the clear. */
export type StoredCredential =
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'app'
      readonly appId: string
      readonly privateKey: string
      /** `host[:port]` of the Git host that knows the App. */
      readonly host: string
    }

/** A stored secret that cannot be opened: it was sealed under another secret of the service, or changed by hand. */
export class SealedCredentialError extends Error {
  constructor(readonly what: 'token' | 'app') {
    super('A stored credential cannot be opened.')
    this.name = 'SealedCredentialError'
  }
}

/**
 * What the database has for a project: its own token before the App of the instance; null when it has neither.
 * @throws SealedCredentialError
 */
export async function findStoredCredential(
  { prisma, credentialKey }: Pick<Database, 'prisma'> & { credentialKey: Buffer },
  projectId: string,
): Promise<StoredCredential | null> {
  const own = await prisma.gitCredential.findUnique({ where: { projectId }, select: { sealedToken: true } })
  if (own) {
    return {
      kind: 'token',
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
