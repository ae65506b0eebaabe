import { DEFAULT_LEASE_SECONDS } from '@corrigenda/worker/internal/config/settings'
import { checkRun } from '../check/check-run.ts'
import { countConnections, listChildren, listEntryKeys, listTemporaryFiles } from '../check/find-leftovers.ts'
import { type AcceptedJob, submitJob } from '../client/submit-job.ts'
import { type JobWatch, watchJobs } from '../client/watch-jobs.ts'
import { buildJobPlan } from '../plan/job-plan.ts'
import { buildRandom, type Random } from '../plan/random.ts'
import type { Stack } from '../stack/open-stack.ts'
import type { SupervisedProcess } from '../stack/spawn-process.ts'
import { type PartOptions, type PartResult, withStack } from './part.ts'

/** Maximum factor by which resident memory may grow over the second half of the jobs. */
const MAX_GROWTH = 1.1

/**
 * Runs many jobs in one process and checks that its memory does not grow and that the jobs leave no
 * processes, files, connections or queue keys behind.
 */
export function runSoak(options: PartOptions): Promise<PartResult> {
  const { queue } = options
  const random = buildRandom(options.seed).fork('soak')
  const half = options.short ? 10 : 100
  const stackInput = {
    queue,
    signal: options.signal,
    workers: 1,
    slots: 4,
    leaseSeconds: DEFAULT_LEASE_SECONDS,
    sweepSeconds: 1,
    repositories: ['acme/docs', 'acme/guides'],
    nodeArgs: ['--expose-gc'],
  }
  return withStack('soak', stackInput, async (stack) => {
    options.say(`soak on ${queue}: two batches of ${half} jobs in one process`)
    const watch = watchJobs(stack, 200)
    const [worker] = stack.workers
    if (!worker) throw new Error('No worker is running.')
    const first = await work({ stack, watch, random }, 0, half)
    const before = await measure(stack, worker)
    const second = await work({ stack, watch, random }, half, half)
    const after = await measure(stack, worker)
    const violations: string[] = []
    const pid = worker.pid()
    const children = pid === null ? [] : await listChildren(pid)
    if (children.length > 0) violations.push(`processes left behind by the worker: ${children.length}`)
    const keys = await listEntryKeys(stack)
    if (keys.length > 0)
      violations.push(`leftover queue keys in Redis: ${keys.length} (${keys.slice(0, 5).join(', ')})`)
    await stack.retire()
    await watch.stop()
    const files = await listTemporaryFiles(stack)
    if (files.length > 0) violations.push(`leftover temporary files: ${files.length} (${files.slice(0, 5).join(', ')})`)
    const connections = await countConnections(stack)
    if (connections > 0) violations.push(`leftover database connections: ${connections}`)
    if (after.rss > before.rss * MAX_GROWTH)
      violations.push(`memory grew from ${toMiB(before.rss)} to ${toMiB(after.rss)}`)
    const check = await checkRun(stack, [...first, ...second])
    return {
      violations: [...violations, ...check.violations],
      figures: {
        ...check.figures,
        [`memory after ${half} jobs`]: `${toMiB(before.rss)}, heap ${toMiB(before.heap)}`,
        [`memory after ${2 * half} jobs`]: `${toMiB(after.rss)}, heap ${toMiB(after.heap)}`,
        left: `${children.length} processes, ${files.length} files, ${connections} connections, ${keys.length} queue keys`,
      },
    }
  })
}

const toMiB = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

async function work(
  deps: { stack: Stack; watch: JobWatch; random: Random },
  from: number,
  count: number,
): Promise<AcceptedJob[]> {
  const { stack, watch, random } = deps
  const jobs: AcceptedJob[] = []
  for (let n = from; n < from + count; n += 1) {
    const plan = buildJobPlan(random.fork(n), {
      name: `soak-${n}`,
      project: n % 2,
      pages: stack.pages,
      turns: { min: 1, max: 3 },
      delayMs: { min: 0, max: 20 },
    })
    jobs.push(await submitJob(stack, plan))
  }
  const late = await watch.wait(jobs.map((job) => job.id))
  if (late.length > 0) throw new Error(`Number of jobs that did not end: ${late.length}.`)
  return jobs
}

/** Measures memory use after a full garbage collection, once the last job is cleaned up. */
async function measure(stack: Stack, worker: SupervisedProcess): Promise<{ rss: number; heap: number }> {
  await pause(2_000)
  const known = stack.memory.length
  process.kill(worker.pid() ?? 0, 'SIGUSR2')
  const deadline = Date.now() + 10_000
  while (stack.memory.length === known && Date.now() < deadline) await pause(20)
  const sample = stack.memory[known]
  if (!sample) throw new Error('The worker did not report its memory.')
  return sample
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
