import { readFile, stat } from 'node:fs/promises'
import type { RunPoint } from '@corrigenda/worker'
import { checkRun } from '../check/check-run.ts'
import { compareSnapshots, snapshotJob } from '../check/snapshot-job.ts'
import { type AcceptedJob, cancelJob, submitJob } from '../client/submit-job.ts'
import { type JobWatch, watchJobs } from '../client/watch-jobs.ts'
import { buildJobPlan } from '../plan/job-plan.ts'
import { buildRandom, type Random } from '../plan/random.ts'
import { openStrikes, type Strikes } from '../plan/strikes.ts'
import type { Stack } from '../stack/open-stack.ts'
import type { SupervisedProcess } from '../stack/spawn-process.ts'
import { type PartOptions, type PartResult, withStack } from './part.ts'

/**
 * Event that affects the job while its first worker is paused. With `is taken over`, the successor
 * has claimed the job and is paused until the first worker has resumed.
 */
type Scenario = 'completes' | 'fails' | 'is cancelled' | 'is merged' | 'loses its branch' | 'is taken over'

interface ZombieCase {
  readonly point: RunPoint
  readonly scenario: Scenario
}

const POINTS = ['turn.saved', 'branch.pushing', 'push.recorded', 'pull.opening', 'run.finishing'] as const
const SCENARIOS = ['completes', 'fails', 'is cancelled', 'is merged', 'loses its branch'] as const
/** Points immediately before a write to the database or to the Git host. */
const BEFORE_WRITES = [
  'model.answered',
  'run.freezing',
  'branch.pushing',
  'branch.pushed',
  'pull.opening',
  'run.finishing',
] as const

/** Every point with every scenario, except that a job with an open pull request cannot fail. */
const ZOMBIE_CASES: readonly ZombieCase[] = [
  ...SCENARIOS.flatMap((scenario) =>
    POINTS.filter((point) => scenario !== 'fails' || point !== 'run.finishing').map((point) => ({ point, scenario })),
  ),
  ...BEFORE_WRITES.map((point) => ({ point, scenario: 'is taken over' as const })),
]

/** Cases that exercise different guards. */
const SHORT_ZOMBIE_CASES: readonly ZombieCase[] = [
  { point: 'branch.pushing', scenario: 'is merged' },
  { point: 'branch.pushing', scenario: 'is cancelled' },
  { point: 'pull.opening', scenario: 'is cancelled' },
  { point: 'pull.opening', scenario: 'fails' },
  { point: 'run.finishing', scenario: 'loses its branch' },
  { point: 'model.answered', scenario: 'is taken over' },
]

/** Length of a pause, as a multiple of the lease duration. */
const LEASES = 3
const END_LIMIT_MS = 180_000
/** Matches a worker's final log line about a run, regardless of the result. */
const FINAL_LOG_LINES = /run lease lost|run attempt ended|database unavailable|outcome not written/

interface ZombieDeps {
  readonly stack: Stack
  readonly watch: JobWatch
  readonly strikes: Strikes
  readonly random: Random
}

/**
 * Pauses a worker for three lease durations immediately before a write, while its job continues
 * without it. The worker then resumes in the middle of its work. It must not change anything in the
 * database or on the Git host.
 */
export function runZombies(options: PartOptions): Promise<PartResult> {
  const { queue, short } = options
  const cases = short ? SHORT_ZOMBIE_CASES : ZOMBIE_CASES
  // Number of concurrent cases. Each requires a paused worker and one that continues the job.
  const together = short ? 2 : 3
  const random = buildRandom(options.seed).fork('zombies')
  const strikes = openStrikes()
  const stackInput = {
    queue,
    signal: options.signal,
    workers: short ? 4 : 6,
    slots: 1,
    leaseSeconds: 3,
    sweepSeconds: 0.3,
    // One repository per case, because some cases move the base branch.
    repositories: cases.map((_, index) => `acme/docs-${index}`),
    onArrival: strikes.decide,
  }
  return withStack('zombies', stackInput, async (stack) => {
    options.say(`zombies on ${queue}: ${cases.length} cases`)
    const watch = watchJobs(stack, 200)
    const [violations, jobs]: [string[], AcceptedJob[]] = [[], []]
    const mayFail = new Map<string, RegExp>()
    const waiting = [...cases.entries()]
    const runNext = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, one] = next
        const job = await submitCase({ stack, random }, index, one)
        jobs.push(job)
        if (one.scenario === 'fails') mayFail.set(job.id, /^git_host_/)
        const found = await runCase({ stack, watch, strikes, random }, one, job)
        violations.push(...found.map((what) => `${one.point}, job ${one.scenario} (${job.id}): ${what}`))
      }
    }
    await Promise.all(Array.from({ length: together }, runNext))
    await watch.wait(jobs.map((job) => job.id))
    await stack.retire()
    await watch.stop()
    const check = await checkRun(stack, jobs, { mayFail, touched: new Set(stackInput.repositories) })
    return { violations: [...violations, ...check.violations], figures: { ...check.figures, cases: cases.length } }
  })
}

async function submitCase(deps: Pick<ZombieDeps, 'stack' | 'random'>, index: number, one: ZombieCase) {
  const plan = buildJobPlan(deps.random.fork(index), {
    name: `zombie-${index}`,
    project: index,
    pages: deps.stack.pages,
    turns: { min: 1, max: 2 },
    delayMs: { min: 10, max: 50 },
    cancelAfterMs: one.scenario === 'is cancelled' ? 0 : null,
  })
  return submitJob(deps.stack, plan)
}

/**
 * @returns the worker's forbidden actions after it resumed, or the reason the case did not occur
 */
async function runCase(deps: ZombieDeps, one: ZombieCase, job: AcceptedJob): Promise<string[]> {
  const { stack, strikes } = deps
  if (one.scenario === 'fails') {
    // Fails only one request, so that the resumed worker does not fail too.
    stack.host.fault({ op: 'pulls.create', kind: 'status', status: 403, message: 'Forbidden', match: job.id })
  }
  strikes.set(job.id, [{ point: one.point, skip: 0, order: 'stop' }])
  const arrival = await strikes.whenStruck(job.id, END_LIMIT_MS)
  const zombie = stack.workers.find((worker) => worker.name === arrival?.worker)
  if (!arrival || !zombie) return ['no worker reached this point']
  const stoppedAt = Date.now()
  let awake = false
  try {
    const fault = await applyScenario(deps, one, job)
    if (fault !== null) return [fault]
    const isTakenOver = one.scenario === 'is taken over'
    // For a takeover, the worker resumes immediately, because the successor is also paused and its
    // lease would expire.
    if (!isTakenOver) await pause(Math.max(0, stoppedAt + LEASES * stack.input.leaseSeconds * 1000 - Date.now()))
    // Prevents other workers from polling and updating the pull request's state. The zombie never
    // writes that state.
    await stack.database.query('UPDATE pull_request_watches SET next_look_at = NULL')
    const before = await snapshotJob(stack, job.id, job.project.repository)
    const { size } = await stat(zombie.logFile)
    stack.history.add({ kind: 'act', act: 'continue', target: zombie.name, pid: zombie.pid() })
    zombie.resume()
    awake = true
    if (!(await waitForFinalLogLine(zombie, arrival.runId, size))) return ['did not finish within a minute']
    const after = await snapshotJob(stack, job.id, job.project.repository)
    return compareSnapshots(before, after, { isClaimed: isTakenOver })
  } finally {
    strikes.set(job.id, [])
    // Resumes each worker only once, because it may already be paused for another case.
    for (const { worker, attempt } of strikes.listStopped(job.id)) {
      const isAwake = awake && attempt === arrival.attempt
      if (!isAwake) stack.workers.find((one) => one.name === worker)?.resume()
    }
  }
}

/**
 * Applies the scenario of a case to a job while its first worker is paused.
 * @returns a description of any deviation from the case, or null
 */
async function applyScenario(deps: ZombieDeps, one: ZombieCase, job: AcceptedJob): Promise<string | null> {
  const { stack, watch, strikes } = deps
  const isPublished = one.point === 'run.finishing'
  if (one.scenario === 'is taken over') {
    // Two strikes, because the next worker's lease may expire before the first worker resumes. The
    // worker that then takes over must also be paused.
    const stop = { point: 'run.claimed', skip: 0, order: 'stop' } as const
    strikes.set(job.id, [stop, stop])
    return (await strikes.whenStruck(job.id, END_LIMIT_MS, 1)) ? null : 'no other worker took over'
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

/** Waits until the worker has logged the run's result, then briefly for its remaining actions. */
async function waitForFinalLogLine(zombie: SupervisedProcess, runId: string, from: number): Promise<boolean> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const lines = (await readFile(zombie.logFile)).subarray(from).toString().split('\n')
    if (lines.some((line) => line.includes(runId) && FINAL_LOG_LINES.test(line))) {
      await pause(500)
      return true
    }
    await pause(50)
  }
  return false
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
