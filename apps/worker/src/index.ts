export { listSecrets, loadWorkerConfig, type WorkerConfig } from './config/config.ts'
export { type OnPoint, RUN_POINTS, type RunPoint } from './run/run-point.ts'
export { openWorkerLog, type RunningWorker, startWorker } from './start-worker.ts'
