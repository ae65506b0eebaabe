import { Worker } from 'node:worker_threads'
import type { CheckAnswer, CheckRunner, CheckTask, ThreadMessage } from './task.ts'

interface ThreadLimits {
  /**
   * Wall-clock limit for one task, measured from its start in the thread, in milliseconds. Default:
   * 30,000. A 1 MB page takes 2 to 20 s of CPU.
   */
  readonly taskMs: number
  /** The thread's heap size in MB. Default: 512. */
  readonly heapMb: number
}

export interface ThreadOptions {
  /**
   * Path of the compiled `check-thread.js`, if it is not next to this module (when running from
   * source).
   */
  readonly module?: URL
  readonly limits?: Partial<ThreadLimits>
  /** Called with the reason when the thread is lost. */
  readonly onLoss?: (reason: 'slow' | 'crashed') => void
}

interface CheckThread extends CheckRunner {
  /** Number of threads started so far; for tests. */
  starts(): number
  /** Terminates the thread. Pending tasks fail with `closed`. Can be called repeatedly. */
  close(): Promise<void>
}

interface Waiting {
  readonly task: CheckTask
  complete(answer: CheckAnswer<CheckTask>): void
}

/** Maximum number of unfinished tasks sent to the thread. Sending ahead keeps the thread busy. */
const WINDOW = 4

/**
 * Opens a thread for checks. It starts when the first task is run and is restarted if it is lost.
 * It keeps the process alive only while it has work. A task that exceeds the time or memory limit
 * terminates the thread and fails with that reason. Tasks sent after it are resent.
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
      // The lane moves to the end, so that the lanes take turns.
      lanes.delete(lane)
      if (queue.length > 0) lanes.set(lane, queue)
      if (next !== undefined) return next
    }
    return null
  }

  const stopClock = () => {
    if (clock !== null) clearTimeout(clock)
    clock = null
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
    let slow: number | null = null
    started.on('message', (message: ThreadMessage) => {
      const first = sent[0]
      if (first === undefined || first.id !== message.id) return
      stopClock()
      if (message.kind === 'began') {
        clock = setTimeout(() => {
          slow = message.id
          void started.terminate()
        }, limits.taskMs)
        return
      }
      sent.shift()
      first.complete({ done: true, value: message.value })
      send()
    })
    // The 'exit' event follows, after all of the thread's messages.
    started.on('error', () => undefined)
    started.on('exit', () => {
      stopClock()
      thread = null
      const reason = slow === null ? 'crashed' : 'slow'
      // The answer may have been posted just before the thread was terminated.
      const failedTask = slow === null || sent[0]?.id === slow ? sent.shift() : undefined
      if (sent.length > 0) lanes.set({}, sent)
      sent = []
      options.onLoss?.(reason)
      failedTask?.complete({ done: false, reason })
      send()
    })
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
      // Copies only these bytes. Otherwise, the whole underlying buffer, such as a pack, would also
      // be copied.
      const bytes = Uint8Array.from(next.task.bytes)
      thread.postMessage({ id, task: { ...next.task, bytes } }, [bytes.buffer])
    }
    if (sent.length === 0) thread?.unref()
  }

  return {
    starts: () => starts,
    run<T extends CheckTask>(task: T, lane: object): Promise<CheckAnswer<T>> {
      if (closed) return Promise.resolve({ done: false, reason: 'closed' })
      return new Promise((resolve) => {
        const waiting: Waiting = { task, complete: (answer) => resolve(answer as CheckAnswer<T>) }
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
      stopClock()
      const ending = thread
      thread = null
      ending?.removeAllListeners()
      await ending?.terminate()
      for (const waiting of left) waiting.complete({ done: false, reason: 'closed' })
    },
  }
}
