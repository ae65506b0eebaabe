import { AsyncLocalStorage } from 'node:async_hooks'
import { Worker } from 'node:worker_threads'
import type { Checker } from '@corrigenda/site/checks'
import type { RunProgram } from '@corrigenda/site/lint'
import {
  copyBytes,
  type FromThread,
  fromWireError,
  type HostCalls,
  listCalls,
  type ToThread,
  toSourceFacts,
  toWireError,
} from './agent-wire.ts'
import { type AgentHost, type AgentTask, type AgentWork, doAgentWork } from './do-agent-work.ts'

/** Thrown when text takes too much time or memory to read. The message may be shown to the job owner. */
export class UnreadableContentError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnreadableContentError'
  }
}

/**
 * Does the agent's work on a run.
 * @throws UnreadableContentError, errors of `host`, the signal's reason
 */
export type RunAgentWork = (task: AgentTask, host: AgentHost, signal: AbortSignal) => Promise<AgentWork>

interface AgentThreads {
  readonly run: RunAgentWork
  /** Ends the threads. Their runs fail. */
  close(): Promise<void>
}

export interface AgentThreadLimits {
  /**
   * Time for which a thread may compute between two calls of the model, in milliseconds. Waiting
   * does not count. Default: 60,000.
   */
  readonly busyMs: number
  /** Heap size of a thread in MB. Default: 512. */
  readonly heapMb: number
  /** Time after which a thread without work is ended, in milliseconds. Default: 60,000. */
  readonly idleMs: number
}

const LOOK_MS = 500
/** Longer paths are cut in the message of a failure. */
const MAX_PATH_BYTES = 1024
/** Calls that start a new step of the run, and so its time limit. */
const STEPS: ReadonlySet<string> = new Set(['callModel', 'append'])

interface Thread {
  readonly worker: Worker
  readonly current: Uint8Array
  idle: NodeJS.Timeout | null
}

/**
 * Opens threads for the agent's work, one for each run at a time. They have no credentials and no
 * environment variables. Text that takes too much time or memory ends the thread of its own run,
 * and neither the process nor any other run.
 * @param options.runProgram runs the linters of repositories, outside the threads
 * @param options.module path of the compiled `agent-thread.js`
 */
export function openAgentThreads(options: {
  readonly runProgram: RunProgram
  readonly module?: URL
  readonly limits?: Partial<AgentThreadLimits>
}): AgentThreads {
  const module = options.module ?? new URL('./agent-thread.js', import.meta.url)
  const limits: AgentThreadLimits = { busyMs: 60_000, heapMb: 512, idleMs: 60_000, ...options.limits }
  const free: Thread[] = []
  const all = new Set<Worker>()

  const take = (): Thread => {
    const known = free.pop()
    if (known !== undefined) {
      if (known.idle !== null) clearTimeout(known.idle)
      known.worker.ref()
      return known
    }
    const current = new Uint8Array(new SharedArrayBuffer(MAX_PATH_BYTES))
    const worker = new Worker(module, {
      workerData: { current },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
    all.add(worker)
    worker.on('exit', () => all.delete(worker))
    // An error also rejects the run that the thread works on, if any.
    worker.on('error', () => {})
    return { worker, current, idle: null }
  }
  const giveBack = (thread: Thread) => {
    thread.worker.unref()
    thread.idle = setTimeout(() => {
      free.splice(free.indexOf(thread), 1)
      void thread.worker.terminate()
    }, limits.idleMs).unref()
    free.push(thread)
  }

  return {
    async run(task, host, signal) {
      signal.throwIfAborted()
      const thread = take()
      try {
        const calls = listCalls(host, signal).set('runProgram', options.runProgram)
        const work = await runInThread(thread, { task, host, calls, signal, busyMs: limits.busyMs })
        giveBack(thread)
        return work
      } catch (error) {
        await thread.worker.terminate()
        throw error
      }
    },
    async close() {
      free.length = 0
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

async function runInThread(
  { worker, current }: Thread,
  input: { task: AgentTask; host: AgentHost; calls: HostCalls; signal: AbortSignal; busyMs: number },
): Promise<AgentWork> {
  const { task, host, calls, signal, busyMs } = input
  const post = (message: ToThread) => worker.postMessage(message)
  // Calls belong to the run's trace, although they arrive as events of the thread.
  const inRun = AsyncLocalStorage.snapshot()
  const errors: unknown[] = []
  let stepStart = worker.performance.eventLoopUtilization()

  const answer = async (name: string, id: number, args: readonly unknown[]) => {
    if (STEPS.has(name)) stepStart = worker.performance.eventLoopUtilization()
    try {
      const run = calls.get(name)
      if (run === undefined) throw new Error(`the agent's thread called ${name}, which does not exist`)
      signal.throwIfAborted()
      const value = await inRun(() => run(...(args as never[])))
      post({ kind: 'answer', id, value: copyBytes(value) })
    } catch (error) {
      post({ kind: 'refusal', id, error: toWireError(error, errors.push(error) - 1) })
    }
  }
  let resolve = (_work: AgentWork) => {}
  let reject = (_error: unknown) => {}
  const ended = new Promise<AgentWork>((...settle) => {
    ;[resolve, reject] = settle
  })
  const onMessage = (message: FromThread) => {
    if (message.kind === 'call') void answer(message.name, message.id, message.args)
    else if (message.kind === 'done') resolve(message.work)
    // An error that the host has thrown continues here as the same object.
    else reject(message.error.id === null ? fromWireError(message.error) : errors[message.error.id])
  }
  const onError = (error: Error & { code?: string }) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? toUnreadable('takes too much memory', current) : error)
  const onExit = () => reject(new Error("the agent's thread ended"))
  const onAbort = () => reject(signal.reason)
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  signal.addEventListener('abort', onAbort)
  const look = setInterval(() => {
    const { active } = worker.performance.eventLoopUtilization(stepStart)
    if (active > busyMs) reject(toUnreadable(`takes more than ${busyMs / 1000} seconds`, current))
  }, LOOK_MS)
  post({ kind: 'task', task, sources: host.sources.map(toSourceFacts), hasWhole: host.whole !== null })
  return await ended.finally(() => {
    clearInterval(look)
    worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    signal.removeEventListener('abort', onAbort)
  })
}

function toUnreadable(why: string, current: Uint8Array): UnreadableContentError {
  const end = current.indexOf(0)
  // Copied, because the decoder does not accept shared memory.
  const path = new TextDecoder().decode(Uint8Array.from(end === -1 ? current : current.subarray(0, end)))
  const what = path === '' ? 'Text of this job' : `The text of ${path}`
  return new UnreadableContentError(
    `${what} ${why} to read. Simplify the file, or ask for a change that does not need it.`,
  )
}

/** Does the work in this thread, without limits. For tests and for code that runs from source. */
export const buildInlineAgentWork =
  (checker: Checker): RunAgentWork =>
  async (task, host, signal) =>
    await doAgentWork(task, host, checker, signal)
