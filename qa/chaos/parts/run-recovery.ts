import { DEFAULT_LEASE_SECONDS } from '@corrigenda/worker/internal/config/config'
import { checkRun } from '../check/check-run.ts'
import { measureRecovery, summarize } from '../check/measure-recovery.ts'
import { type AcceptedJob, submitJob } from '../client/submit-job.ts'
import { type JobWatch, watchJobs } from '../client/watch-jobs.ts'
import { buildJobPlan } from '../plan/job-plan.ts'
import { buildRandom, type Random } from '../plan/random.ts'
import type { Stack } from '../stack/open-stack.ts'
import { type HeldRuns, openHeldRuns } from './held-runs.ts'
import type { PartOptions, PartResult } from './part.ts'
import { withStack } from './with-stack.ts'

/**
 * Limits documented in docs/recovery.md, in seconds. After a kill, the limit is the lease plus the
 * time to find and claim the run.
 */
const MAX_AFTER_LEASE = 10
const MAX_AFTER_TERM = 2
/**
 * Number of concurrent jobs. All of them fit in the remaining workers' slots when one worker is
 * down, so that no backlog distorts the measurement.
 */
const OPEN = 20

/**
 * Measures, with the default settings, how long a run has no worker after its process is killed or
 * receives SIGTERM.
 */
export function runRecovery(options: PartOptions): Promise<PartResult> {
  const { queue, short } = options
  const random = buildRandom(options.seed).fork('recovery')
  const held = openHeldRuns()
  const leaseSeconds = options.leaseSeconds ?? DEFAULT_LEASE_SECONDS
  const maxAfterDeath = leaseSeconds + MAX_AFTER_LEASE
  const stackInput = {
    queue,
    signal: options.signal,
    workers: options.workers ?? 4,
    slots: options.slots ?? 8,
    leaseSeconds,
    sweepSeconds: 2.5,
    maxAttempts: 1000,
    projectConcurrency: 1000,
    repositories: ['acme/docs', 'acme/guides'],
    onArrival: async (arrival: Parameters<HeldRuns['note']>[0]) => {
      held.note(arrival)
      return 'go' as const
    },
  }
  return withStack('recovery', stackInput, async (stack) => {
    const [kills, terms] = short ? [5, 3] : [110, 50]
    options.say(`recovery on ${queue}: ${kills} kills, ${terms} SIGTERMs, lease ${leaseSeconds} s`)
    const watch = watchJobs(stack)
    const jobs = startJobs({ stack, watch, random: random.fork('jobs') })
    await strike({ stack, held, random: random.fork('kills') }, { signal: 'SIGKILL', times: kills, pauseMs: 1_500 })
    // Waits until the runs interrupted by the kills have been recovered.
    await pause(short ? 5_000 : (leaseSeconds + 5) * 1_000)
    await strike({ stack, held, random: random.fork('terms') }, { signal: 'SIGTERM', times: terms, pauseMs: 1_000 })
    const accepted = await jobs.stop()
    await watch.wait(accepted.map((job) => job.id))
    await stack.retire()
    await watch.stop()
    const check = await checkRun(stack, accepted)
    const { afterDeath, afterTerm } = measureRecovery(stack.history, check.tables)
    const [death, term] = [summarize(afterDeath), summarize(afterTerm)]
    const violations = [...check.violations]
    // On a busy machine, a short run would measure the machine's load.
    if (!short && death.p99 > maxAfterDeath)
      violations.push(`after a kill: p99 ${death.p99} s, limit ${maxAfterDeath} s`)
    if (!short && term.p99 > MAX_AFTER_TERM)
      violations.push(`after SIGTERM: p99 ${term.p99} s, limit ${MAX_AFTER_TERM} s`)
    return {
      violations,
      figures: {
        ...check.figures,
        'kill to next claim': `${format(death)} (${kills} kills, ${afterDeath.length} runs)`,
        'SIGTERM to next claim': `${format(term)} (${terms} signals, ${afterTerm.length} runs)`,
      },
    }
  })
}

const format = ({ p50, p99, max }: ReturnType<typeof summarize>) =>
  `p50 ${p50.toFixed(1)} s, p99 ${p99.toFixed(1)} s, max ${max.toFixed(1)} s`

/** Ends workers that hold runs, one at a time. */
async function strike(
  deps: { stack: Stack; held: HeldRuns; random: Random },
  input: { signal: 'SIGKILL' | 'SIGTERM'; times: number; pauseMs: number },
): Promise<void> {
  const { stack, held, random } = deps
  const deadline = Date.now() + input.times * (input.pauseMs + 12_000)
  for (let done = 0; done < input.times && Date.now() < deadline; ) {
    await pause(input.pauseMs)
    // Waits until all workers are ready again, so that the measurement covers how long a run waits
    // for its next worker and excludes worker startup.
    const busy = stack.workers.filter((worker) => held.count(worker.pid()) > 0)
    if (busy.length === 0 || stack.workers.some((worker) => !worker.isReady())) continue
    const worker = random.pick(busy)
    const act = input.signal === 'SIGKILL' ? 'kill' : 'term'
    stack.history.add({ kind: 'act', act, target: worker.name, pid: worker.pid() })
    worker.end(input.signal)
    done += 1
  }
}

/** Submits new jobs whenever fewer than OPEN are active. */
function startJobs(deps: { stack: Stack; watch: JobWatch; random: Random }) {
  const { stack, watch, random } = deps
  const accepted: AcceptedJob[] = []
  let stopped = false
  const loop = async () => {
    while (!stopped) {
      const ended = accepted.filter((job) => (watch.status(job.id) ?? 'active') !== 'active').length
      if (accepted.length - ended < OPEN) {
        const n = accepted.length
        const plan = buildJobPlan(random.fork(n), {
          name: `recovery-${n}`,
          project: n % 2,
          pages: stack.pages,
          turns: { min: 2, max: 4 },
          delayMs: { min: 1_000, max: 4_000 },
        })
        accepted.push(await submitJob(stack, plan))
      } else await pause(100)
    }
  }
  const looping = loop()
  return {
    async stop() {
      stopped = true
      await looping
      return accepted
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
