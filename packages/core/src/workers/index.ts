export { findOpenWork, type OpenWork } from './find-open-work.ts'
export { listWorkers } from './list-workers.ts'
export { type Heartbeat, recordHeartbeat } from './record-heartbeat.ts'
export { removeWorker } from './remove-worker.ts'
