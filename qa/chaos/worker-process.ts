#!/usr/bin/env node
/**
 * Runs the real worker. At each point of a run, the harness tells it to continue or exit
 * immediately. All other code in this process is product code.
 */
import { loadWorkerConfig, type OnPoint, openWorkerLog, startWorker } from '@corrigenda/worker'
import type { Order } from './history/history.ts'

const { env } = process
const control = env.CHAOS_CONTROL_URL ?? ''
const worker = env.CHAOS_WORKER ?? ''
const { pid } = process

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${control}${path}`, { method: 'POST', body: JSON.stringify(body) })

/** Sends a report. If it fails, the harness times out. This process's log contains the reason. */
function send(path: string, body: object): void {
  post(path, body).catch((error: unknown) => console.error(`could not report ${path} to the harness:`, error))
}

async function ask(body: object): Promise<Order> {
  // The connections may have died while the process was paused, so the request is retried.
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
}

process.on('SIGUSR2', () => {
  const { gc } = globalThis as { gc?: () => void }
  for (let round = 0; round < 3; round += 1) gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  send('/memory', { worker, rss, heap: heapUsed })
})
// The harness has exited, so no other process would end this one.
process.stdin.on('close', () => process.kill(pid, 'SIGKILL')).resume()

const config = loadWorkerConfig(env)
const running = await startWorker(config, openWorkerLog(config), { coldBuild: 'child', onPoint })
send('/ready', { worker, pid })
const end = async () => {
  // A graceful shutdown with a time limit, as in the CLI.
  setTimeout(() => process.exit(1), 15_000).unref()
  await running.close()
  process.exit(0)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end())
