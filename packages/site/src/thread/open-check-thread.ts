import { Worker } from 'node:worker_threads'
import type { CheckAnswer, CheckRunner, CheckTask, CheckValue } from './task.ts'

export interface ThreadLimits {
  /** Wall-clock time of one task, in milliseconds. Default 30,000: a page of 1 MB takes 2 to 20 s of CPU. */
  readonly taskMs: number
  /** Heap of the thread, in MB. Default 512. */
  readonly heapMb: number
}

export interface ThreadOptions {
  /** The compiled `check-thread.js`, when it is not beside this module (running from source). */
  readonly module?: URL
  readonly limits?: Partial<ThreadLimits>
  /** Told why the thread had to be given up. */
  readonly onLoss?: (reason: 'slow' | 'crashed') => void
}

export interface CheckThread extends CheckRunner {
  /** Threads started so far; for tests. */
  starts(): number
  /** Ends the thread; tasks that wait are answered `closed`. May be repeated. */
  close(): Promise<void>
}

interface Waiting {
  readonly task: CheckTask
  settle(answer: CheckAnswer<CheckTask>): void
}

/** Sent ahead, so that the thread does not wait for the next one. */
const WINDOW = 4

/**
 * One thread for checks, started with the first task and again after it was lost. It keeps the process alive only while it has work. A task that
 * takes too long or too much memory ends the thread and is answered so; what was sent after it is sent again.
 */
export function openCheckThread(options: ThreadOptions = {}): CheckThread {
  const module = options.module ?? new URL('./check-thread.js', import.meta.url)
  const limits: ThreadLimits = { taskMs: 30_000, heapMb: 512, ...options.limits }
  const lanes = new Map<object, Waiting[]>()
  let sent: (Waiting & { readonly id: number })[] = []
  let thread: Worker | null = null
  let clock: NodeJS.Timeout | null = null
  let [nextId, starts, closed] = [1, 0, false]

  const takeNext = (): Waiting | null => {
    for (const [lane, queue] of lanes) {
      const next = queue.shift()
      // To the end, so that the lanes take turns.
      lanes.delete(lane)
      if (queue.length > 0) lanes.set(lane, queue)
      if (next !== undefined) return next
    }
    return null
  }

  const restartClock = () => {
    if (clock !== null) clearTimeout(clock)
    clock = sent.length === 0 ? null : setTimeout(() => lose('slow'), limits.taskMs)
  }

  const lose = (reason: 'slow' | 'crashed') => {
    if (thread === null) return
    const lost = thread
    thread = null
    lost.removeAllListeners()
    lost.on('error', () => undefined)
    void lost.terminate()
    options.onLoss?.(reason)
    const [guilty, ...innocent] = sent
    sent = []
    if (innocent.length > 0) lanes.set({}, innocent)
    restartClock()
    guilty?.settle({ done: false, reason })
    send()
  }

  const start = (): Worker => {
    starts += 1
    const started = new Worker(module, {
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
    started.on('message', ({ id, value }: { id: number; value: CheckValue<CheckTask> }) => {
      const first = sent[0]
      if (first === undefined || first.id !== id) return
      sent.shift()
      first.settle({ done: true, value })
      restartClock()
      send()
    })
    started.on('error', () => lose('crashed'))
    started.on('exit', () => lose('crashed'))
    return started
  }

  const send = () => {
    while (!closed && sent.length < WINDOW) {
      const next = takeNext()
      if (next === null) break
      thread ??= start()
      thread.ref()
      const id = nextId
      nextId += 1
      sent.push({ ...next, id })
      // A copy of these bytes alone: what they are a part of, for example a whole pack, would be copied with them.
      const bytes = Uint8Array.from(next.task.bytes)
      thread.postMessage({ id, task: { ...next.task, bytes } }, [bytes.buffer])
      if (sent.length === 1) restartClock()
    }
    if (sent.length === 0) thread?.unref()
  }

  return {
    starts: () => starts,
    run<T extends CheckTask>(task: T, lane: object): Promise<CheckAnswer<T>> {
      if (closed) return Promise.resolve({ done: false, reason: 'closed' })
      return new Promise((resolve) => {
        const waiting: Waiting = { task, settle: (answer) => resolve(answer as CheckAnswer<T>) }
        const queue = lanes.get(lane)
        if (queue === undefined) lanes.set(lane, [waiting])
        else queue.push(waiting)
        send()
      })
    },
    async close() {
      closed = true
      const left = [...sent, ...[...lanes.values()].flat()]
      sent = []
      lanes.clear()
      restartClock()
      const ending = thread
      thread = null
      ending?.removeAllListeners()
      await ending?.terminate()
      for (const waiting of left) waiting.settle({ done: false, reason: 'closed' })
    },
  }
}
