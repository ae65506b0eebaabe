import type { KeyScope, Limit, Me } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import { countQuota, type QuotaLimit, type QuotaState } from './count-quota.ts'

interface GetKeyFactsDeps extends PrismaDeps {
  readonly quota: QuotaLimit
  readonly messageQuota: QuotaLimit
}

/**
 * Returns a key, its permissions and its project's remaining limits, without using any quota.
 * @throws AppError `not_found` when the key has been deleted
 */
export async function getKeyFacts(deps: GetKeyFactsDeps, input: { keyId: string }): Promise<Me> {
  const { prisma, quota, messageQuota } = deps
  const key = await prisma.apiKey.findUnique({ where: { id: input.keyId }, include: { project: true } })
  if (!key) throw new AppError('not_found', 'Not found.')
  const { project } = key
  const [jobs, retries, messages] = await Promise.all([
    countQuota(prisma, project.id, quota, 'create'),
    countQuota(prisma, project.id, quota, 'retry'),
    countQuota(prisma, project.id, messageQuota, 'message'),
  ])
  return {
    projectId: project.id,
    project: { id: project.id, name: project.name, repository: project.repositoryUrl },
    key: {
      id: key.id,
      name: key.name,
      // A database constraint allows only known scopes.
      scopes: key.scopes as KeyScope[],
      expiresAt: key.expiresAt?.toISOString() ?? null,
      lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    },
    limits: { jobs: toLimit(jobs), retries: toLimit(retries), messages: toLimit(messages) },
  }
}

function toLimit({ limit, remaining, windowSeconds, resetSeconds }: QuotaState): Limit {
  return { limit, remaining, windowSeconds, resetSeconds }
}
