import { parentPort, workerData } from 'node:worker_threads'
import { buildChecker } from '@corrigenda/site/checks'
import { buildLint } from '@corrigenda/site/lint'
import { openCheckThread } from '@corrigenda/site/thread'
import { buildRemoteHost, copyBytes, type FromThread, fromWireError, type ToThread, toWireError } from './agent-wire.ts'
import { doAgentWork } from './do-agent-work.ts'

// Entry point of the thread. Does one task at a time.

/** Receives the path of the file that the work reads, for the message if this thread is ended. */
const current: Uint8Array = workerData.current
const post = (message: FromThread) => parentPort?.postMessage(message)
const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
/** Errors that the host has thrown, with their ids. */
const thrown = new WeakMap<Error, number | null>()
let calls = 0

function call(name: string, ...args: readonly unknown[]): Promise<never> {
  calls += 1
  const id = calls
  post({ kind: 'call', id, name, args: args.map(copyBytes) })
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
}

function onFile(path: string): void {
  current.fill(0)
  new TextEncoder().encodeInto(path, current)
}

// Parsers are the code that hostile text can hang most easily. A page that cannot be parsed within
// the limits is skipped, and does not end the run.
const checker = buildChecker({
  runner: openCheckThread({ onLoss: (reason) => void call('log', 'checker thread crashed on a page', { reason }) }),
  lint: buildLint((input) => call('runProgram', input)),
})

parentPort?.on('message', async (message: ToThread) => {
  if (message.kind !== 'task') {
    const found = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'answer') return found?.resolve(message.value as never)
    const error = fromWireError(message.error)
    thrown.set(error, message.error.id)
    return found?.reject(error)
  }
  try {
    const host = buildRemoteHost(call, message, onFile)
    // The thread is ended when the run is aborted, so nothing has to be aborted here.
    post({ kind: 'done', work: await doAgentWork(message.task, host, checker, new AbortController().signal) })
  } catch (error) {
    post({ kind: 'failed', error: toWireError(error, error instanceof Error ? (thrown.get(error) ?? null) : null) })
  }
})
