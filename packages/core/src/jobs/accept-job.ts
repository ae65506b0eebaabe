import type pg from 'pg'
import { isConnectionError } from '../db/is-connection-error.ts'
import { isRolledBack } from '../db/is-rolled-back.ts'
import type { Database } from '../db/open-database.ts'
import { type AddToGroup, openGroups } from '../db/open-groups.ts'
import { createJobs, type Decision } from './create-jobs.ts'
import type { AcceptedJob } from './created-job.ts'
import type { JobProject, JobWish } from './new-job.ts'
import { readJobProjects } from './read-job-projects.ts'
import { type Creation, toCreation } from './to-creation.ts'

/** Groups of several projects, which wait for no lock. */
const TOGETHER = { size: 50, parallel: 2 }
/** Groups of one project, which wait for its lock. */
const WAITING = { size: 50, parallel: 4 }

type Accept = AddToGroup<JobWish, Decision>

/** The groups of this process, for each connection pool. */
const opened = new WeakMap<pg.Pool, Accept>()

/**
 * Decides a request for a job, in one transaction with others that arrive at the same time. No
 * request waits for another project, and an error of one request does not affect the others.
 * @throws AppError as `createJob` does
 */
export async function acceptJob({ pool }: Pick<Database, 'pool'>, wish: JobWish): Promise<AcceptedJob> {
  const accept = opened.get(pool) ?? openAccept(pool)
  opened.set(pool, accept)
  const decision = await accept(wish)
  if (decision === 'busy') throw new Error('The request has not been decided.')
  if ('refusal' in decision) throw decision.refusal
  return decision.accepted
}

function openAccept(pool: pg.Pool): Accept {
  const waitForLock = openGroups<Creation, Decision>({
    ...{ ...WAITING, isPerOwner: true, toOwner: ({ wish }) => wish.projectId },
    run: (creations) => decideWaiting(pool, creations),
  })
  return openGroups<JobWish, Decision>({
    ...{ ...TOGETHER, toOwner: ({ projectId }) => projectId },
    async run(wishes) {
      const ids = wishes.map(({ projectId }) => projectId)
      const projects = await readJobProjects({ pool }, ids)
      const prepared = wishes.map((wish) => prepare(wish, projects.get(wish.projectId) ?? null))
      const creations = prepared.filter((item) => 'request' in item)
      const decisions = await decideTogether(pool, creations)
      const byCreation = new Map(creations.map((creation, n) => [creation, decisions[n] ?? 'busy']))
      return prepared.map((item) => {
        if (!('request' in item)) return item
        const decision = byCreation.get(item) ?? 'busy'
        return decision === 'busy' ? waitForLock(item) : decision
      })
    },
  })
}

function prepare(wish: JobWish, project: JobProject | null): Creation | { refusal: unknown } {
  try {
    return toCreation(wish, project)
  } catch (refusal) {
    return { refusal }
  }
}

/** After an error that has rolled all of them back, each project's requests are decided separately. */
async function decideTogether(pool: pg.Pool, creations: readonly Creation[]): Promise<Decision[]> {
  try {
    return creations.length === 0 ? [] : await createJobs({ pool }, creations, { mayWait: false })
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
