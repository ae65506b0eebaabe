import type { AuditContext } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Db } from '../db/open-database.ts'
import type { Prisma } from '../generated/prisma/client.ts'

/** Deletes the matching tokens of a project's sources, and records each deletion. */
export async function deleteSourceCredentials(
  tx: Db,
  audit: AuditContext,
  where: Prisma.SourceCredentialWhereInput & { readonly projectId: string },
): Promise<void> {
  const { projectId } = where
  const found = await tx.sourceCredential.findMany({ where, select: { source: true, host: true } })
  for (const { source, host } of found) {
    const { count } = await tx.sourceCredential.deleteMany({ where: { projectId, source } })
    if (count === 0) continue
    const target = { type: 'source', id: source, name: `${source} on ${host}` }
    await recordAuditEvent(tx, audit, { action: 'credential.deleted', projectId, target })
  }
}

/**
 * Deletes the tokens of sources that no longer exist, or whose repository is on another host than
 * the token was saved for. Such a token is not used in any case.
 * @param input.sources the project's sources
 */
export async function deleteStaleSourceCredentials(
  tx: Db,
  audit: AuditContext,
  input: { readonly projectId: string; readonly sources: readonly { name: string; repository: string }[] },
): Promise<void> {
  const { projectId, sources } = input
  const current = sources.map(({ name, repository }) => ({ source: name, host: new URL(repository).host }))
  await deleteSourceCredentials(tx, audit, { projectId, NOT: { OR: current } })
}
