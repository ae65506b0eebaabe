import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'

/**
 * Deletes this instance's App. The App remains registered with the Git host until it is deleted
 * there. Idempotent.
 */
export async function deleteGitHubApp({ prisma, audit }: AuditedDeps): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const found = await tx.githubApp.findFirst({ select: { appId: true, slug: true } })
    const { count } = await tx.githubApp.deleteMany({})
    if (!found || count === 0) return
    const target = { type: 'github_app', id: String(found.appId), name: found.slug }
    await recordAuditEvent(tx, audit, { action: 'github_app.deleted', target })
  })
}
