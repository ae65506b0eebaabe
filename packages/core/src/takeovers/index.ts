export { reportRefuted, type WatchDeps, watchWorkers } from './watch-workers.ts'
