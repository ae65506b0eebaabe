export * from './agent-job.ts'
export * from './api-key.ts'
export * from './error.ts'
export * from './queue.ts'
