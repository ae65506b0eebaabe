#!/usr/bin/env node
/**
 * The real worker, told at each point of a run to go on, to end at once or to stand still. Everything else in this process is the product's.
 */
import { loadWorkerConfig, type OnPoint, openWorkerLog, startWorker } from '@corrigenda/worker'
import { processEnv } from './config.ts'
import type { Order } from './history/history.ts'

const env = processEnv()
const control = env.CHAOS_CONTROL_URL ?? ''
const worker = env.CHAOS_WORKER ?? ''
const { pid } = process

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${control}${path}`, { method: 'POST', body: JSON.stringify(body) })

/** Without an answer the harness gives up waiting by itself; the log of this process says why. */
function tell(path: string, body: object): void {
  post(path, body).catch((error: unknown) => console.error(`the harness could not be told ${path}:`, error))
}

async function ask(body: object): Promise<Order> {
  // Connections of a process that stood still may be dead: one more try.
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      const answer = (await (await post('/point', body)).json()) as { order: Order }
      return answer.order
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return 'go'
}

const onPoint: OnPoint = async (point, { runId, jobId, attempt }) => {
  const order = await ask({ point, runId, jobId, attempt, worker, pid })
  if (order === 'kill') {
    process.kill(pid, 'SIGKILL')
    await new Promise(() => {})
  }
  if (order === 'stop') process.kill(pid, 'SIGSTOP')
}

process.on('SIGUSR2', () => {
  const { gc } = globalThis as { gc?: () => void }
  for (let round = 0; round < 3; round += 1) gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  tell('/memory', { worker, rss, heap: heapUsed })
})
// The harness is gone: nobody would ever end this process.
process.stdin.on('close', () => process.kill(pid, 'SIGKILL')).resume()

const config = loadWorkerConfig(env)
const running = await startWorker(config, openWorkerLog(config), { coldBuild: 'child', onPoint })
tell('/ready', { worker, pid })
const end = async () => {
  // As the command line does it: in good order, but not without end.
  setTimeout(() => process.exit(1), 15_000).unref()
  await running.close()
  process.exit(0)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end())
