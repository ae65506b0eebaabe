export { findOpenWork, type OpenWork } from './find-open-work.ts'
export { hasLiveWorker, listWorkers } from './list-workers.ts'
export { type Heartbeat, recordHeartbeat, removeWorker } from './record-heartbeat.ts'
