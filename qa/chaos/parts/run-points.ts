import { RUN_POINTS, type RunPoint } from '@corrigenda/worker'
import { checkRun } from '../check/check-run.ts'
import { type AcceptedJob, submitJob } from '../client/submit-job.ts'
import { watchJobs } from '../client/watch-jobs.ts'
import { buildPages } from '../plan/build-pages.ts'
import { buildJobPlan, type JobPlan } from '../plan/job-plan.ts'
import { buildRandom, type Random } from '../plan/random.ts'
import { openStrikes, type Strike } from '../plan/strikes.ts'
import { type PartOptions, type PartResult, withStack } from './part.ts'

const PER_TURN: ReadonlySet<RunPoint> = new Set(['model.calling', 'model.answered', 'turn.saved'])

/**
 * Pairs of points where the first worker and then its successor are killed. The second point is the
 * same as the first, or a later one that the successor always reaches.
 */
const DOUBLES: readonly (readonly [RunPoint, RunPoint])[] = [
  ['run.claimed', 'run.claimed'],
  ['run.started', 'model.calling'],
  ['model.answered', 'model.answered'],
  ['turn.saved', 'run.freezing'],
  ['run.freezing', 'run.freezing'],
  ['run.frozen', 'branch.pushing'],
  ['branch.pushed', 'branch.pushed'],
  ['push.recorded', 'pull.opening'],
  ['pull.opened', 'pull.opened'],
  ['run.finishing', 'run.finishing'],
]

/**
 * Kills a process at each point where external state has just changed or is about to change. For
 * some jobs, also kills the successor. Each process works on one run at a time, except with
 * `short`, so that a kill does not affect other runs.
 */
export function runPoints(options: PartOptions): Promise<PartResult> {
  const { queue, short } = options
  const random = buildRandom(options.seed).fork('points')
  // With `short`, a process is killed once for several of its runs, because restarts take most of
  // the CPU time. Its runs wait for each other, even on a slow machine.
  const slots = short ? 6 : 1
  const strikes = openStrikes({ runs: slots, limitMs: 5_000 })
  const stackInput = {
    queue,
    signal: options.signal,
    workers: short ? 2 : 6,
    slots,
    leaseSeconds: 3,
    sweepSeconds: 0.5,
    maxAttempts: 20,
    repositories: ['acme/docs', 'acme/docs', 'acme/guides'],
    onArrival: strikes.decide,
  }
  return withStack('points', stackInput, async (stack) => {
    const watch = watchJobs(stack, 250)
    const plans = buildPlans(random, short ? 1 : 20, short ? 3 : DOUBLES.length)
    options.say(`points on ${queue}: ${plans.length} jobs, ${plans.flatMap((one) => one.strikes).length} kills`)
    const jobs: AcceptedJob[] = []
    for (const { plan, strikes: planned } of plans) {
      const job = await submitJob(stack, plan)
      strikes.set(job.id, planned)
      jobs.push(job)
    }
    await watch.wait(jobs.map((job) => job.id))
    // Waits for kills planned for the end of a run, which are not visible in the job's status.
    for (const job of jobs) await strikes.untilStruck(job.id, 2_000)
    await stack.retire()
    await watch.stop()
    const { violations, figures } = await checkRun(stack, jobs)
    for (const [job, left] of strikes.left())
      violations.push(`${job}: never reached ${left.map((one) => one.point).join(', ')}`)
    const kills = stack.history.list('point').filter((entry) => entry.order === 'kill').length
    return { violations, figures: { ...figures, kills, points: RUN_POINTS.length } }
  })
}

function buildPlans(random: Random, perPoint: number, doubles: number): { plan: JobPlan; strikes: Strike[] }[] {
  const pages = buildPages(40)
  const wanted = [
    ...RUN_POINTS.flatMap((point) => Array.from({ length: perPoint }, () => [point])),
    ...DOUBLES.filter((_, index) => index % Math.ceil(DOUBLES.length / doubles) === 0),
  ]
  return wanted.map((points, index) => {
    const own = random.fork(index)
    const plan = buildJobPlan(own, {
      name: `points-${index}`,
      project: index % 3,
      pages,
      turns: { min: 2, max: 3 },
      delayMs: { min: 20, max: 100 },
    })
    const strikes = points.map((point, step): Strike => {
      const skip = PER_TURN.has(point) && step === 0 && points.length === 1 ? own.int(0, plan.turns - 1) : 0
      return { point, skip }
    })
    return { plan, strikes }
  })
}
