import { type AcceptedJob, cancelJob } from '../client/submit-job.ts'
import type { JobWatch } from '../client/watch-jobs.ts'
import type { Strikes } from '../plan/strikes.ts'
import type { Stack } from '../stack/open-stack.ts'
import type { ZombieCase } from './zombie-cases.ts'

const LIMIT_MS = 180_000

/**
 * Applies the scenario of a case to a job while its first worker is paused.
 * @returns a description of any deviation from the case, or null
 */
export async function applyScenario(
  deps: { stack: Stack; watch: JobWatch; strikes: Strikes },
  one: ZombieCase,
  job: AcceptedJob,
): Promise<string | null> {
  const { stack, watch, strikes } = deps
  const isPublished = one.point === 'run.finishing'
  if (one.scenario === 'is taken over') {
    // Two strikes, because the next worker's lease may expire before the first worker resumes. The
    // worker that then takes over must also be paused.
    const stop = { point: 'run.claimed', skip: 0, order: 'stop' } as const
    strikes.set(job.id, [stop, stop])
    return (await strikes.whenStruck(job.id, LIMIT_MS, 1)) ? null : 'no other worker took over'
  }
  if (one.scenario === 'is cancelled') {
    const status = await cancelJob(stack, job)
    const expected = isPublished ? 409 : 200
    if (status !== expected) return `cancel returned ${status}, expected ${expected}`
  }
  const isHuman = one.scenario === 'is merged' || one.scenario === 'loses its branch'
  // The pull request already exists, so the user can act before the successor finishes.
  if (isHuman && isPublished) await actAsUser(stack, one, job)
  const open = await watch.wait([job.id])
  if (open.length > 0) return 'no other worker took over'
  const status = watch.status(job.id)
  const isFailure = one.scenario === 'fails' || (one.scenario === 'is cancelled' && !isPublished)
  if (status !== (isFailure ? 'failed' : 'completed')) return `the job is ${status}`
  if (isHuman && !isPublished) await actAsUser(stack, one, job)
  return null
}

async function actAsUser({ host }: Stack, one: ZombieCase, job: AcceptedJob): Promise<void> {
  const { repository } = job.project
  const branch = `corrigenda/${job.id}`
  const pull = host.pulls(repository).find((candidate) => candidate.headRef === branch)
  if (!pull) throw new Error(`${job.id} has no pull request yet.`)
  if (one.scenario === 'is merged') await host.closePull(repository, pull.number, { merge: true, deleteBranch: true })
  else await host.git(repository, 'update-ref', '-d', `refs/heads/${branch}`)
}
