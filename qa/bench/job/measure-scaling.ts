import type { BenchStack } from './open-bench-stack.ts'
import { readCpuMs } from './read-cpu.ts'
import { runJobs } from './run-jobs.ts'

export interface ScalingStep {
  readonly workers: number
  readonly jobsPerMinute: number
  /** Throughput divided by the number of workers, relative to one worker. */
  readonly efficiency: number
  /** CPU time of all processes of the benchmark per elapsed time. */
  readonly busyCores: number
}

const STEPS = [1, 2, 4]
const SLOTS = 2
const ROUNDS = 3
const DELAY_MS = 2_000

/** Largest number of jobs in progress. */
export const MAX_CLIENTS = Math.max(...STEPS) * SLOTS

/** Runs the same number of jobs per worker with one, two and four workers. */
export async function measureScaling(stack: BenchStack): Promise<ScalingStep[]> {
  const { pids, projects } = stack
  const workers: { readonly pid: number }[] = []
  const steps: ScalingStep[] = []
  for (const count of STEPS) {
    while (workers.length < count) workers.push(await stack.startWorker(SLOTS))
    const clients = count * SLOTS
    await runJobs(stack, { projects, rounds: 2, moves: false, clients, delayMs: 0 })
    const busyBefore = readCpuMs(process.pid, pids.postgres)
    const startedAt = performance.now()
    // The jobs of one run do not start at the same time, which would keep all cores busy for a moment.
    const staggerMs = (2 * DELAY_MS) / clients
    const jobMs = await runJobs(stack, {
      projects,
      rounds: ROUNDS,
      moves: false,
      staggerMs,
      clients,
      delayMs: DELAY_MS,
    })
    const ms = performance.now() - startedAt
    const busyCores = (readCpuMs(process.pid, pids.postgres) - busyBefore) / ms
    const jobsPerMinute = (clients * 60_000) / jobMs
    const one = steps[0]?.jobsPerMinute ?? jobsPerMinute
    steps.push({ workers: count, jobsPerMinute, efficiency: jobsPerMinute / count / one, busyCores })
  }
  return steps
}
