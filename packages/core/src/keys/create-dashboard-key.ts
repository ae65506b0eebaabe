import type { CreatedDashboardKey, CreateKeyRequest } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { insertKey, toKeyCreated } from './create-key.ts'
import { takeKeyCreation } from './take-key-creation.ts'
import { DASHBOARD_KEY, type KeyUser, toDashboardKey } from './to-dashboard-key.ts'
import { toScopes } from './to-scopes.ts'

/**
 * Creates a key for a user. The secret is returned only once.
 * @throws AppError `role_missing` when a scope exceeds the user's role; `key_rate_exceeded`;
 * `invalid_request` when an address range is malformed
 */
export async function createDashboardKey(
  deps: AuditedDeps & { keyPepper: Buffer },
  input: { projectId: string; user: KeyUser; request: CreateKeyRequest },
): Promise<CreatedDashboardKey> {
  const { projectId, user, request } = input
  const allowed = toScopes(user.role)
  const denied = request.scopes.find((scope) => !allowed.includes(scope))
  if (denied !== undefined) {
    throw new AppError('role_missing', `Your role does not allow keys with the scope ${denied}. Ask a project owner.`)
  }
  return deps.prisma.$transaction(async (tx) => {
    await takeKeyCreation(tx, projectId)
    const created = { projectId, createdById: user.userId, ...request }
    const { id, key } = await insertKey(tx, deps, created)
    await recordAuditEvent(tx, deps.audit, toKeyCreated(id, created))
    const row = await tx.apiKey.findUniqueOrThrow({ ...DASHBOARD_KEY, where: { id } })
    return { key: toDashboardKey(row, user), secret: key }
  })
}
