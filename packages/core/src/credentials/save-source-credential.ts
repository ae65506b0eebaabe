import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import { toRunSettings } from '../projects/run-settings.ts'
import { sealSecret } from '../sealing/seal-secret.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'
import { toSourceCredentialId, toSourceTokenContext } from './source-token-context.ts'

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
      ...{ sealedToken: sealSecret(key, context, token), host, lastFour: token.slice(-4), savedAt: new Date() },
      ...{ savedBy: audit.actor.name, savedById: audit.actor.id },
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
  if (!source) throw new AppError('not_found', 'Not found.')
  return new URL(source.repository).host
}
