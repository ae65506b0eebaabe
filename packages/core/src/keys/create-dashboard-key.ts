import type { CreatedDashboardKey, CreateKeyRequest } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { createKey } from './create-key.ts'
import { takeKeyCreation } from './take-key-creation.ts'
import { DASHBOARD_KEY, toDashboardKey } from './to-dashboard-key.ts'

/**
 * Creates a key for a user. The secret is returned only once.
 * @throws AppError `key_rate_exceeded`; `invalid_request` when an address range is malformed
 */
export async function createDashboardKey(
  deps: Pick<Database, 'prisma'> & { keyPepper: Buffer },
  input: { projectId: string; userId: string; request: CreateKeyRequest },
): Promise<CreatedDashboardKey> {
  const { projectId, userId, request } = input
  return deps.prisma.$transaction(async (tx) => {
    await takeKeyCreation(tx, projectId)
    const { id, key } = await createKey(
      { prisma: tx, keyPepper: deps.keyPepper },
      { projectId, createdById: userId, ...request },
    )
    const row = await tx.apiKey.findUniqueOrThrow({ ...DASHBOARD_KEY, where: { id } })
    return { key: toDashboardKey(row), secret: key }
  })
}
