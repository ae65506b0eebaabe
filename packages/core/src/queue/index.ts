export { openConsumer, openQueue, type QueueBoard } from './load-queue.ts'
export type { QueueBackend, RunQueue } from './queue.ts'
export { toRedisOptions } from './to-redis-options.ts'
