import { workerData } from 'node:worker_threads'

/** Runs as a thread: ends the whole process, however busy, once its parent is gone. */
const parent = workerData as number
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 500)
