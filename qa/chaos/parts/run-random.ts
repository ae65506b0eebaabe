import { checkRun } from '../check/check-run.ts'
import { formatRecovery, measureRecovery, summarize } from '../check/measure-recovery.ts'
import type { Tables } from '../check/read-tables.ts'
import { askApi } from '../client/ask-api.ts'
import { type AcceptedJob, cancelJob, submitJob } from '../client/submit-job.ts'
import { type JobWatch, watchJobs } from '../client/watch-jobs.ts'
import { startFaultInjector } from '../fault-injector/start-fault-injector.ts'
import { buildJobPlan, type JobPlan } from '../plan/job-plan.ts'
import { buildRandom, type Random } from '../plan/random.ts'
import type { Stack } from '../stack/open-stack.ts'
import { type PartOptions, type PartResult, withStack } from './part.ts'

const REPOSITORIES = ['acme/docs', 'acme/docs', 'acme/guides', 'acme/handbook']

/**
 * Maximum number of model turns requested again because of a kill -9, as a share of all stored
 * turns.
 */
const MAX_REPEATED = 0.05

/**
 * Injects all faults at random times while jobs are submitted: kills, pauses, SIGTERMs, lost
 * queues, outages and cancellations.
 */
export function runRandom(options: PartOptions): Promise<PartResult> {
  const { queue, short } = options
  const random = buildRandom(options.seed).fork('random')
  const count = short ? 12 : 500
  const stackInput = {
    queue,
    signal: options.signal,
    // The queue on Postgres connects directly.
    pooler: queue === 'redis',
    workers: short ? 2 : 4,
    slots: 4,
    leaseSeconds: short ? 3 : 5,
    sweepSeconds: short ? 0.5 : 1,
    maxAttempts: 30,
    projectConcurrency: 8,
    repositories: REPOSITORIES,
  }
  return withStack('random', stackInput, async (stack) => {
    const violations: string[] = []
    const fail = (error: unknown) => void violations.push(`the campaign itself failed: ${String(error)}`)
    const watch = watchJobs(stack)
    options.say(`random on ${queue}: ${count} jobs, ${stackInput.workers} workers with ${stackInput.slots} slots`)
    const plans = Array.from({ length: count }, (_, n) => buildPlan(random.fork(`job-${n}`), n, stack))
    const faultInjector = startFaultInjector(stack, random.fork('nemesis'), {
      ...(short ? { points: { min: 20, max: 50 }, limit: 11 } : { points: { min: 50, max: 100 } }),
      onFailure: fail,
    })
    const reader = startReader(stack, random.fork('reader'))
    const jobs = await submitAll(stack, watch, plans, reader.jobs, fail)
    await watch.wait(
      jobs.accepted.map((job) => job.id),
      30_000,
    )
    await faultInjector.stop()
    // All faults have been reversed, so all accepted jobs must end.
    await watch.wait(jobs.accepted.map((job) => job.id))
    await Promise.all(jobs.cancels)
    await reader.stop()
    await stack.retire()
    await watch.stop()
    const check = await checkRun(stack, jobs.accepted)
    // A short run has more outages per job than this limit allows for.
    if (!short && check.killedShare > MAX_REPEATED) {
      violations.push(`${(100 * check.killedShare).toFixed(1)}% of the model turns were repeated because of kills`)
    }
    const acts = [...faultInjector.counts].map(([name, times]) => `${name}: ${times}`).sort()
    return {
      violations: [...violations, ...check.violations],
      figures: {
        ...check.figures,
        'kill to next claim': toRecovery(stack, check.tables),
        acts: acts.join('; '),
        'cancel requests': toCancels(stack),
      },
    }
  })
}

function buildPlan(random: Random, n: number, stack: Stack): JobPlan {
  return buildJobPlan(random, {
    name: `random-${n}`,
    project: random.int(0, REPOSITORIES.length - 1),
    pages: stack.pages,
    turns: { min: 1, max: 5 },
    delayMs: { min: 50, max: 400 },
    faultShare: 0.04,
    cancelAfterMs: random.chance(0.08) ? random.int(0, 6_000) : null,
  })
}

/** Submits all jobs, keeping enough active for a constant load without a growing backlog. */
async function submitAll(
  stack: Stack,
  watch: JobWatch,
  plans: readonly JobPlan[],
  accepted: AcceptedJob[],
  fail: (error: unknown) => void,
): Promise<{ accepted: AcceptedJob[]; cancels: Promise<void>[] }> {
  const cancels: Promise<void>[] = []
  const window = stack.input.workers * stack.input.slots * 3
  const waiting = [...plans]
  const submitNext = async () => {
    for (let plan = waiting.shift(); plan; plan = waiting.shift()) {
      while (watch.countActive() >= window) await pause(100)
      try {
        const job = await submitJob(stack, plan)
        accepted.push(job)
        const { cancelAfterMs } = plan
        if (cancelAfterMs !== null) {
          cancels.push(
            pause(cancelAfterMs)
              .then(() => cancelJob(stack, job))
              .then(() => {}, fail),
          )
        }
      } catch (error) {
        fail(error)
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, submitNext))
  return { accepted, cancels }
}

/** Reads jobs continuously, as clients do. */
function startReader(stack: Stack, random: Random): { jobs: AcceptedJob[]; stop(): Promise<void> } {
  const jobs: AcceptedJob[] = []
  let stopped = false
  const loop = async () => {
    while (!stopped) {
      if (jobs.length > 0) {
        const job = random.pick(jobs)
        await askApi(stack, job.project, { method: 'GET', route: `/job/${job.id}` })
      }
      await pause(100)
    }
  }
  const looping = loop()
  return {
    jobs,
    async stop() {
      stopped = true
      await looping
    },
  }
}

/** Includes the time in which the run waits for a free slot, or for a server that is down. */
function toRecovery({ history }: Stack, tables: Tables): string {
  const { afterDeath } = measureRecovery(history, tables)
  return `${formatRecovery(summarize(afterDeath))} (${afterDeath.length} runs)`
}

function toCancels({ history }: Stack): string {
  const answers = history.list('cancel')
  const count = (status: number) => answers.filter((one) => one.status === status).length
  return `${count(200)} succeeded, ${count(409)} too late`
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
