import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_LEASE_SECONDS, DEFAULT_SWEEP_SECONDS } from '@corrigenda/worker/internal/config/settings'
import { checkRun } from '../check/check-run.ts'
import { formatRecovery, measureRecovery, summarize } from '../check/measure-recovery.ts'
import { type AcceptedJob, submitJob } from '../client/submit-job.ts'
import { type JobWatch, watchJobs } from '../client/watch-jobs.ts'
import type { Arrival } from '../history/history.ts'
import { buildJobPlan } from '../plan/job-plan.ts'
import { buildRandom, type Random } from '../plan/random.ts'
import type { Stack } from '../stack/open-stack.ts'
import { type PartOptions, type PartResult, withStack } from './part.ts'

/** Limits documented in docs/recovery.md, in seconds. */
const MAX_AFTER_DEATH = { p50: 10, p99: 20 }
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
  const stackInput = {
    queue,
    signal: options.signal,
    workers: 4,
    slots: 8,
    leaseSeconds: DEFAULT_LEASE_SECONDS,
    sweepSeconds: DEFAULT_SWEEP_SECONDS,
    maxAttempts: 1000,
    projectConcurrency: 1000,
    repositories: ['acme/docs', 'acme/guides'],
    onArrival: async (arrival: Arrival) => {
      held.note(arrival)
      return 'go' as const
    },
  }
  return withStack('recovery', stackInput, async (stack) => {
    const kills = short ? 5 : 110
    const terms = Math.min(50, Math.ceil(kills / 2))
    options.say(`recovery on ${queue}: ${kills} kills, ${terms} SIGTERMs`)
    const watch = watchJobs(stack)
    const jobs = startJobs({ stack, watch, random: random.fork('jobs') })
    await strike({ stack, held, random: random.fork('kills') }, { signal: 'SIGKILL', times: kills, pauseMs: 1_500 })
    // Waits until the runs interrupted by the kills have been recovered.
    await sleep((DEFAULT_LEASE_SECONDS + 5) * 1_000)
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
    for (const share of ['p50', 'p99'] as const)
      if (!short && death[share] > MAX_AFTER_DEATH[share])
        violations.push(`after a kill: ${share} ${death[share]} s, limit ${MAX_AFTER_DEATH[share]} s`)
    if (!short && term.p99 > MAX_AFTER_TERM)
      violations.push(`after SIGTERM: p99 ${term.p99} s, limit ${MAX_AFTER_TERM} s`)
    return {
      violations,
      figures: {
        ...check.figures,
        'kill to next claim': `${formatRecovery(death)} (${kills} kills, ${afterDeath.length} runs)`,
        'SIGTERM to next claim': `${formatRecovery(term)} (${terms} signals, ${afterTerm.length} runs)`,
      },
    }
  })
}

/** The runs that each process is working on, derived from the points they reach. */
interface HeldRuns {
  note(arrival: Arrival): void
  /** Returns the number of runs held by the process with this pid. */
  count(pid: number | null): number
}

function openHeldRuns(): HeldRuns {
  const held = new Map<string, number>()
  return {
    note({ point, runId, pid }) {
      if (point === 'run.finished') held.delete(runId)
      else held.set(runId, pid)
    },
    count: (pid) => [...held.values()].filter((owner) => owner === pid).length,
  }
}

/** Ends workers that hold runs, one at a time. */
async function strike(
  deps: { stack: Stack; held: HeldRuns; random: Random },
  input: { signal: 'SIGKILL' | 'SIGTERM'; times: number; pauseMs: number },
): Promise<void> {
  const { stack, held, random } = deps
  const deadline = Date.now() + input.times * (input.pauseMs + 12_000)
  for (let done = 0; done < input.times && Date.now() < deadline; ) {
    await sleep(input.pauseMs)
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
      } else await sleep(100)
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
