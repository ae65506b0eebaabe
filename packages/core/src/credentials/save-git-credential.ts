import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { sealSecret } from '../sealing/seal-secret.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'

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
    if (!project) throw new AppError('not_found', 'Not found.')
    const key = await toActiveKey(tx, credentialKey)
    const sealedToken = sealSecret(key, toTokenContext(projectId), token)
    const bound = { ...data, sealedToken, host: new URL(project.repositoryUrl).host }
    await tx.gitCredential.upsert({ where: { projectId }, create: { ...bound, projectId }, update: bound })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'credential.saved', projectId, target: { type: 'credential', id: projectId, name: bound.host } },
    })
  })
}
