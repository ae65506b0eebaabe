#!/usr/bin/env node
import { formatCosts, formatIdle, formatScaling, formatStatements } from './format.ts'
import { CLIENTS, type JobCost, measureCost } from './measure-cost.ts'
import { measureIdle } from './measure-idle.ts'
import { MAX_CLIENTS, measureScaling } from './measure-scaling.ts'
import { openBenchStack } from './open-bench-stack.ts'
import { type BenchCall, type QueueKind, readCall, USAGE } from './read-call.ts'
import { runJobs } from './run-jobs.ts'

/** Jobs of each client before the measurement, which fill the mirror and let Node compile the code. */
const WARM_UPS = 3
/** Default number of slots of a worker. */
const SLOTS = 4

const say = (line: string) => process.stdout.write(`${line}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await main()

async function main(): Promise<number> {
  const call = readCall(process.argv.slice(2))
  if (call === 'help' || 'problem' in call) {
    if (call !== 'help') process.stderr.write(`${call.problem}\n`)
    say(USAGE)
    return call === 'help' ? 0 : 2
  }
  for (const queue of call.queues) {
    say(`\nqueue on ${queue === 'redis' ? 'Redis' : 'Postgres'}`)
    if (call.parts.includes('idle') || call.parts.includes('cost')) await measureOne(queue, call)
    if (call.parts.includes('scaling')) await scale(queue, call)
  }
  return 0
}

async function measureOne(queue: QueueKind, { parts, sizes, jobs, statements, nodeArgs }: BenchCall): Promise<void> {
  const stack = await openBenchStack({ queue, sizes, nodeArgs })
  try {
    const worker = await stack.startWorker(SLOTS)
    if (parts.includes('idle')) {
      const idle = await measureIdle(stack, worker.pid)
      say(formatIdle(idle.costs))
      if (statements) say(formatStatements(idle.list))
    }
    if (!parts.includes('cost')) return
    const costs: JobCost[] = []
    for (const project of stack.projects) {
      await runJobs(stack, { projects: [project], rounds: WARM_UPS, moves: true, clients: CLIENTS, delayMs: 0 })
      costs.push(await measureCost(stack, { project, rounds: Math.ceil(jobs / CLIENTS), workerPid: worker.pid }))
    }
    say(formatCosts(costs))
    if (statements && costs[0]) say(formatStatements(costs[0].list))
  } finally {
    await stack.close()
  }
}

async function scale(queue: QueueKind, { sizes }: BenchCall): Promise<void> {
  // One repository per job in progress, so that no job waits for another one's fetch.
  const stack = await openBenchStack({ queue, sizes: Array(MAX_CLIENTS).fill(sizes[0] ?? 100), nodeArgs: [] })
  try {
    say(formatScaling(await measureScaling(stack)))
  } finally {
    await stack.close()
  }
}
