import { COMMAND_LINE } from '../audit/audit-context.ts'
import type { Database } from '../db/open-database.ts'
import { createJob } from '../jobs/create-job.ts'
import { claimRun } from '../runs/claim-run.ts'
import type { Fence } from '../runs/fence.ts'
import { freezeRun } from '../runs/freeze-run.ts'
import { openLog } from '../runtime/open-log.ts'
import { buildTestPublish } from './build-test-publish.ts'
import { createTestProject } from './open-test-database.ts'

export const silent = openLog({ level: 'silent', secrets: [] })

/** Creates a job and its unclaimed first run, in the given project or in a new one. */
export async function createTestRun(
  database: Database,
  projectId?: string,
): Promise<{ jobId: string; runId: string; projectId: string }> {
  const project = projectId ?? (await createTestProject(database)).id
  const deps = {
    prisma: database.prisma,
    pool: database.pool,
    audit: COMMAND_LINE,
    queue: { wakeWorker: async () => {} },
    log: silent,
    defaultModel: 'm-1',
    quota: { limit: 1000, windowSeconds: 3600 },
  }
  const { job } = await createJob(deps, { projectId: project, request: { prompt: 'Fix it.' }, idempotencyKey: null })
  const jobId: string = job.id
  const { id: runId } = await database.prisma.run.findFirstOrThrow({ where: { jobId } })
  return { jobId, runId, projectId: project }
}

export const CLAIM_RULES = { leaseSeconds: 20, maxAttempts: 10, projectConcurrency: 20 }

/** Claims a run as a worker would. */
export const claim = (
  database: Database,
  runId: string,
  options: { leaseSeconds?: number; maxAttempts?: number; projectConcurrency?: number } = {},
) => claimRun({ ...CLAIM_RULES, prisma: database.prisma, ...options }, { runId, owner: 'test' })

/** Ends the agent phase of a claimed run. */
export const freeze = (database: Database, held: Fence) =>
  freezeRun(database, held, { publish: buildTestPublish(), title: 't', summary: 's', checks: [] })

/** Expires a run's lease, as if its worker had died earlier. */
export const endLease = (database: Database, runId: string) =>
  database.prisma.$executeRaw`UPDATE runs SET lease_until = now() - interval '1 second' WHERE id = ${runId}`
