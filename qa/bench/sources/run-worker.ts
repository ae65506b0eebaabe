import { fork } from 'node:child_process'
import { listChildren, type Phase, readPeak } from './measure.ts'
import type { WorkerPlan } from './worker-plan.ts'

export interface WorkerReport {
  readonly phases: readonly Phase[]
  /** Characters of the first message. */
  readonly chars: number
  /** Largest resident memory of a process that downloaded a repository. */
  readonly childPeakBytes: number
}

/** Runs a worker process to its end. */
export async function runWorker(plan: WorkerPlan, onMove: () => void = () => undefined): Promise<WorkerReport> {
  const worker = fork(new URL('./worker-process.js', import.meta.url), [JSON.stringify(plan)], { execArgv: [] })
  const phases: Phase[] = []
  let chars = 0
  let childPeakBytes = 0
  worker.on('message', (message: Phase | { chars: number } | 'move') => {
    if (message === 'move') {
      onMove()
      worker.send('moved')
    } else if ('chars' in message) chars = message.chars
    else phases.push(message)
  })
  const timer = setInterval(() => {
    for (const child of listChildren(worker.pid ?? 0)) childPeakBytes = Math.max(childPeakBytes, readPeak(child))
  }, 50)
  try {
    const code = await new Promise((resolve, reject) => worker.once('error', reject).once('exit', resolve))
    if (code !== 0) throw new Error(`The worker process ended with ${code}.`)
  } finally {
    clearInterval(timer)
  }
  return { phases, chars, childPeakBytes }
}
