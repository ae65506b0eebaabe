import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'

/** @param input.name trimmed, 1 to 100 characters */
export async function renameAccount(
  { prisma, audit }: AuditedDeps,
  { userId, name }: { userId: string; name: string },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const before = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { name: true } })
    if (before.name === name) return
    await tx.user.update({ where: { id: userId }, data: { name } })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'account.renamed', target: { type: 'account', id: userId, name } },
      ...{ before: { name: before.name }, after: { name } },
    })
  })
}
