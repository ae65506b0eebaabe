import type { SetupProgress } from '@corrigenda/contracts'
import type { PrismaDeps } from '../db/open-database.ts'
import { listWorkers } from '../workers/list-workers.ts'

/** Number of jobs whose runs show that the repository can be read. */
const NEWEST_JOBS = 50

/** Returns a project's progress towards its first pull request. */
export async function getSetupProgress({ prisma }: PrismaDeps, projectId: string): Promise<SetupProgress> {
  const [repository, workers, keys, job] = await Promise.all([
    findRepositoryState({ prisma }, projectId),
    listWorkers({ prisma }),
    prisma.apiKey.count({
      where: { projectId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
    }),
    prisma.job.findFirst({
      where: { projectId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      select: { id: true, status: true, prLink: true },
    }),
  ])
  const models = workers.filter(({ alive }) => alive).map(({ model }) => model.kind)
  return {
    repository,
    model: models.length === 0 ? 'no_worker' : models.every((kind) => kind === 'rehearsal') ? 'rehearsal' : 'ready',
    key: keys > 0,
    job,
  }
}

/**
 * Returns the state of the repository connection according to the last connection check or a later
 * run of one of the newest jobs. A run that has pinned a commit has read the repository.
 */
async function findRepositoryState({ prisma }: PrismaDeps, projectId: string): Promise<SetupProgress['repository']> {
  const test = await prisma.repositoryTest.findFirst({
    where: { projectId, status: 'done' },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  if (test?.ok) return 'passed'
  const since = test ? { startedAt: { gt: test.createdAt } } : {}
  const newest = await prisma.job.findMany({
    where: { projectId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: NEWEST_JOBS,
    select: { id: true },
  })
  const read = await prisma.run.findFirst({
    where: { jobId: { in: newest.map(({ id }) => id) }, baseCommit: { not: null }, ...since },
    select: { id: true },
  })
  if (read) return 'passed'
  return test ? 'failed' : 'untested'
}
