import type { BenchProject, BenchStack } from './open-bench-stack.ts'
import { readMachineCpuMs } from './read-cpu.ts'
import { runJobs } from './run-jobs.ts'

export interface ScalingStep {
  readonly workers: number
  readonly jobsPerMinute: number
  /** Throughput divided by the number of workers, relative to one worker. */
  readonly efficiency: number
  /** CPU time of the whole machine per elapsed time. */
  readonly busyCores: number
}

const STEPS = [1, 2, 4]
const SLOTS = 2
const ROUNDS = 3
const DELAY_MS = 2_000

/** Runs the same number of jobs per worker with one, two and four workers. */
export async function measureScaling(stack: BenchStack, project: BenchProject): Promise<ScalingStep[]> {
  const workers: { readonly pid: number }[] = []
  const steps: ScalingStep[] = []
  for (const count of STEPS) {
    while (workers.length < count) workers.push(await stack.startWorker(SLOTS))
    const clients = count * SLOTS
    await runJobs(stack, { project, count: clients, clients, delayMs: 0 })
    const busyBefore = readMachineCpuMs()
    const startedAt = performance.now()
    await runJobs(stack, { project, count: clients * ROUNDS, clients, delayMs: DELAY_MS })
    const ms = performance.now() - startedAt
    const busyCores = (readMachineCpuMs() - busyBefore) / ms
    const jobsPerMinute = (clients * ROUNDS * 60_000) / ms
    const one = steps[0]?.jobsPerMinute ?? jobsPerMinute
    steps.push({ workers: count, jobsPerMinute, efficiency: jobsPerMinute / count / one, busyCores })
  }
  return steps
}
