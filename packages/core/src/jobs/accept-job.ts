import type pg from 'pg'
import { isConnectionError } from '../db/is-connection-error.ts'
import { isRolledBack } from '../db/is-rolled-back.ts'
import { openBatches } from '../db/open-batches.ts'
import type { Database } from '../db/open-database.ts'
import { openGroups } from '../db/open-groups.ts'
import type { JobProject } from '../projects/job-project.ts'
import { readJobProjects } from '../projects/read-job-projects.ts'
import { withSpan } from '../tracing/with-span.ts'
import { createJobs, type Decision } from './create-jobs.ts'
import type { AcceptedJob } from './created-job.ts'
import type { JobWish } from './new-job.ts'
import { type Creation, toCreation } from './to-creation.ts'

/** Statements that read projects. */
const READS = { size: 100, parallel: 2 }
/** Groups of several projects, which wait for no lock. */
const TOGETHER = { size: 50, parallel: 2 }
/** Groups of one project, which wait for its lock. */
const WAITING = { size: 50, parallel: 4 }

/** The body of a request can arrive much later than its key, and the project can change in between. */
const MAX_AGE_MS = 1_000

type Accept = (wish: JobWish, known: JobProject | null) => Promise<Decision>

/** The groups of this process, for each connection pool. */
const opened = new WeakMap<pg.Pool, Accept>()

/**
 * Decides a request for a job, in one transaction with others that arrive at the same time. No
 * request waits for another project, and an error of one request does not affect the others.
 * @param known facts about the project that were read for this request. They are read again if they are
 * null, or older than a second.
 * @throws AppError as `createJob` does
 */
export async function acceptJob(
  { pool }: Pick<Database, 'pool'>,
  wish: JobWish,
  known: JobProject | null = null,
): Promise<AcceptedJob> {
  const accept = opened.get(pool) ?? openAccept(pool)
  opened.set(pool, accept)
  return withSpan('create_job', { kind: 'producer' }, async (span) => {
    const decision = await accept({ ...wish, traceparent: span?.traceparent ?? null }, known)
    if (decision === 'busy') throw new Error('The request has not been decided.')
    if ('refusal' in decision) throw decision.refusal
    const { runId } = decision.accepted
    if (runId !== null) span?.set({ 'corrigenda.project.id': wish.projectId, 'corrigenda.run.id': runId })
    return decision.accepted
  })
}

function openAccept(pool: pg.Pool): Accept {
  const toOwner = ({ wish }: Creation) => wish.projectId
  const readProject = openBatches<string, JobProject | null>({
    ...READS,
    async read(ids) {
      const found = await readJobProjects({ pool }, ids)
      return ids.map((id) => async () => found.get(id) ?? null)
    },
  })
  const waitForLock = openGroups<Creation, Decision>({
    ...{ ...WAITING, toOwner, isPerOwner: true },
    run: (creations) => decideWaiting(pool, creations),
  })
  const decide = openGroups<Creation, Decision>({
    ...{ ...TOGETHER, toOwner },
    async run(creations) {
      const decisions = await decideTogether(pool, creations)
      return creations.map((creation, n) => {
        const decision = decisions[n] ?? 'busy'
        return decision === 'busy' ? waitForLock(creation) : decision
      })
    },
  })
  return async (wish, known) => {
    const { projectId } = wish
    const isUsable = known?.id === projectId && performance.now() - known.readAt < MAX_AGE_MS
    const project = isUsable ? known : await readProject(projectId, () => projectId)
    return decide(toCreation(wish, project))
  }
}

/** After an error that has rolled all of them back, each project's requests are decided separately. */
async function decideTogether(pool: pg.Pool, creations: readonly Creation[]): Promise<Decision[]> {
  try {
    return await createJobs({ pool }, creations, { mayWait: false })
  } catch (error) {
    if (!isRolledBack(error)) throw error
    return creations.map(() => 'busy')
  }
}

/** After an error that has rolled all of them back, each request is decided alone. */
async function decideWaiting(pool: pg.Pool, creations: readonly Creation[]): Promise<Decision[]> {
  const decide = (some: readonly Creation[]) => createJobs({ pool }, some, { mayWait: true })
  try {
    return await decide(creations)
  } catch (error) {
    if (creations.length === 1 || !isRolledBack(error) || isConnectionError(error)) throw error
  }
  const decisions: Decision[] = []
  for (const creation of creations) {
    const [decision] = await decide([creation]).catch((refusal: unknown): Decision[] => {
      if (!isRolledBack(refusal)) throw refusal
      return [{ refusal }]
    })
    decisions.push(decision ?? 'busy')
  }
  return decisions
}
