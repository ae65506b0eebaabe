export { openConsumer, openQueue, type QueueBackend, type QueueBoard, type RunQueue } from './queue.ts'
export { toRedisOptions } from './to-redis-options.ts'
