export { openConsumer, openQueue, type QueueBoard } from './load-queue.ts'
export type { QueueBackend, RunQueue } from './queue.ts'
