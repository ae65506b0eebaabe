import type { AuditedDeps } from '../audit/audit-context.ts'
import { deleteSourceCredentials } from '../projects/delete-source-credentials.ts'

/** Deletes a source's token, so that the project's credential is used again. Idempotent. */
export function deleteSourceCredential(
  { prisma, audit }: AuditedDeps,
  { projectId, source }: { readonly projectId: string; readonly source: string },
): Promise<void> {
  return prisma.$transaction((tx) => deleteSourceCredentials(tx, audit, { projectId, source }))
}
