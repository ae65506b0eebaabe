import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { notFound } from '../base/errors.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import { sealSecret } from '../sealing/seal-secret.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'
import { PRIVATE_KEY_CONTEXT } from './github-app.ts'
import { type StoredCredential, unsealCredential } from './stored-credential.ts'

/**
 * Returns the sealing context of a project's token. It contains the project id, so that a token
 * copied to another project's row cannot be decrypted.
 */
export const toTokenContext = (projectId: string): string => `git-credential:${projectId}`

/**
 * Seals and stores a project's access token for the Git host of its repository, replacing the
 * previous token. The token is never sent to another host.
 * @throws AppError `not_found`
 */
export async function saveGitCredential(
  { prisma, credentialKey, audit }: AuditedDeps & { credentialKey: SealingKey },
  { projectId, token }: { projectId: string; token: string },
): Promise<void> {
  const data = {
    lastFour: token.slice(-4),
    savedAt: new Date(),
    savedBy: audit.actor.name,
    savedById: audit.actor.id,
  }
  await prisma.$transaction(async (tx) => {
    const project = await tx.project.findUnique({
      where: { id: projectId, deletedAt: null },
      select: { repositoryUrl: true },
    })
    if (!project) throw notFound()
    const key = await toActiveKey(tx, credentialKey)
    const sealedToken = sealSecret(key, toTokenContext(projectId), token)
    const bound = { ...data, sealedToken, host: new URL(project.repositoryUrl).host }
    await tx.gitCredential.upsert({ where: { projectId }, create: { ...bound, projectId }, update: bound })
    await recordAuditEvent(tx, audit, {
      action: 'credential.saved',
      projectId,
      target: { type: 'credential', id: projectId, name: bound.host },
    })
  })
}

/** Deletes a project's token, so that the instance's credential is used again. Idempotent. */
export async function deleteGitCredential({ prisma, audit }: AuditedDeps, projectId: string): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const found = await tx.gitCredential.findUnique({ where: { projectId }, select: { host: true } })
    const { count } = await tx.gitCredential.deleteMany({ where: { projectId } })
    if (!found || count === 0) return
    const target = { type: 'credential', id: projectId, name: found.host }
    await recordAuditEvent(tx, audit, { action: 'credential.deleted', projectId, target })
  })
}

/**
 * Returns the stored credential for a project: the project's token, or the instance's App if the
 * project has no token. Returns null if neither is stored.
 * @throws SealedCredentialError
 */
export async function findStoredCredential(
  { prisma, credentialKey }: PrismaDeps & { credentialKey: SealingKey },
  projectId: string,
): Promise<StoredCredential | null> {
  const own = await prisma.gitCredential.findUnique({ where: { projectId }, select: { sealedToken: true, host: true } })
  if (own) {
    return {
      kind: 'token',
      host: own.host,
      token: unsealCredential(credentialKey, {
        what: 'token',
        context: toTokenContext(projectId),
        sealed: own.sealedToken,
      }),
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
    privateKey: unsealCredential(credentialKey, {
      what: 'app',
      context: PRIVATE_KEY_CONTEXT,
      sealed: app.sealedPrivateKey,
    }),
    host: new URL(app.htmlUrl).host,
  }
}
