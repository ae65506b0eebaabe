import type { Queue } from 'bullmq'
import { once } from '../base/once.ts'
import type { ConsumerInput, QueueBackend, QueueInput, RunConsumer, RunQueue } from './queue.ts'

/** Access to the queue for the admin queue board. */
export interface QueueBoard {
  readonly backend: QueueBackend['kind']
  /** Returns the current queue, which is replaced if its first connection fails. */
  current(): Promise<Queue>
}

// BullMQ takes about 9 MB of memory, which a process needs only from its first wake-up on.
const load = () => import('./queue.ts')

/** Opens the queue. The first call loads BullMQ and connects. */
export function openQueue(input: QueueInput): RunQueue & QueueBoard {
  let isUsed = false
  const open = once(async () => (await load()).openQueue(input))
  const use = () => {
    isUsed = true
    return open()
  }
  return {
    wakeWorker: async () => (await use()).wakeWorker(),
    countWakeUps: async () => (await use()).countWakeUps(),
    async close() {
      if (isUsed) await (await open()).close()
    },
    backend: input.backend.kind,
    current: async () => (await use()).current(),
  }
}

/** Opens a consumer, as described at `openConsumer` in queue.ts. */
export async function openConsumer(input: ConsumerInput): Promise<RunConsumer> {
  return (await load()).openConsumer(input)
}
