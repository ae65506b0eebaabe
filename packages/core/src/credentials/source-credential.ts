import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { notFound } from '../base/errors.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { deleteSourceCredentials } from '../projects/delete-source-credentials.ts'
import { toRunSettings } from '../projects/run-settings.ts'
import { sealSecret } from '../sealing/seal-secret.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'
import { type StoredCredential, unsealCredential } from './stored-credential.ts'

/**
 * Returns the sealing context of a source's token. It contains the project id and the source's name,
 * so that a token copied to another row cannot be decrypted.
 * @param id `project id:source name`
 */
export const toSourceTokenContext = (id: string): string => `source-credential:${id}`

/** Returns the id of a source's credential: `project id:source name`. Neither part contains a colon. */
const toSourceCredentialId = (projectId: string, source: string): string => `${projectId}:${source}`

/**
 * Seals and stores an access token for one source of a project, for the Git host of the source's
 * repository, replacing the previous token. The token is never sent to another host.
 * @throws AppError `not_found` for a project or source that does not exist
 */
export async function saveSourceCredential(
  { prisma, credentialKey, audit }: AuditedDeps & { readonly credentialKey: SealingKey },
  { projectId, source, token }: { readonly projectId: string; readonly source: string; readonly token: string },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const host = await lockSourceHost(tx, projectId, source)
    const key = await toActiveKey(tx, credentialKey)
    const context = toSourceTokenContext(toSourceCredentialId(projectId, source))
    const data = {
      sealedToken: sealSecret(key, context, token),
      host,
      lastFour: token.slice(-4),
      savedAt: new Date(),
      savedBy: audit.actor.name,
      savedById: audit.actor.id,
    }
    await tx.sourceCredential.upsert({
      where: { projectId_source: { projectId, source } },
      create: { ...data, projectId, source },
      update: data,
    })
    const target = { type: 'source', id: source, name: `${source} on ${host}` }
    await recordAuditEvent(tx, audit, { action: 'credential.saved', projectId, target })
  })
}

/** Returns the host of a source's repository, and locks the settings that contain it. */
async function lockSourceHost(tx: Db, projectId: string, name: string): Promise<string> {
  const [project] = await tx.$queryRaw<{ settings: unknown }[]>`
    SELECT settings FROM projects WHERE id = ${projectId} AND deleted_at IS NULL FOR UPDATE`
  const source = project && toRunSettings(project.settings).sources.find((one) => one.name === name)
  if (!source) throw notFound()
  return new URL(source.repository).host
}

/**
 * Returns a source's own token, or null if none is stored. It must be sent only to its `host`.
 * @throws SealedCredentialError
 */
export async function loadSourceCredential(
  { prisma, credentialKey }: PrismaDeps & { readonly credentialKey: SealingKey },
  { projectId, source }: { readonly projectId: string; readonly source: string },
): Promise<Extract<StoredCredential, { kind: 'token' }> | null> {
  const own = await prisma.sourceCredential.findUnique({
    where: { projectId_source: { projectId, source } },
    select: { sealedToken: true, host: true },
  })
  if (own === null) return null
  const context = toSourceTokenContext(toSourceCredentialId(projectId, source))
  const token = unsealCredential(credentialKey, { what: 'token', context, sealed: own.sealedToken })
  return { kind: 'token', host: own.host, token }
}

/** Deletes a source's token, so that the project's credential is used again. Idempotent. */
export function deleteSourceCredential(
  { prisma, audit }: AuditedDeps,
  { projectId, source }: { readonly projectId: string; readonly source: string },
): Promise<void> {
  return prisma.$transaction((tx) => deleteSourceCredentials(tx, audit, { projectId, source }))
}
