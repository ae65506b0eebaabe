import { fork } from 'node:child_process'
import { createRequire } from 'node:module'
import type { FloodCounts, FloodInput } from './flood.ts'

export interface Flood {
  start(): void
  /** Stops the flood and returns its responses. */
  stop(): Promise<FloodCounts>
  close(): void
}

/** The compiled file, because child processes cannot load TypeScript. */
const FLOOD = createRequire(import.meta.url).resolve('@corrigenda/qa/tenants/latency/flood')

/** Starts the process that floods the API on command. */
export async function openFlood(input: FloodInput): Promise<Flood> {
  const child = fork(FLOOD, [JSON.stringify(input)], { execArgv: [] })
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', (code) => reject(new Error(`The flood process ended with code ${code}.`)))
    })
  await next()
  return {
    start: () => void child.send('start'),
    async stop() {
      const counts = next()
      child.send('stop')
      return (await counts) as FloodCounts
    },
    close: () => void child.kill('SIGKILL'),
  }
}
