import { workerData } from 'node:worker_threads'

/**
 * Runs as a thread. Kills the process after its parent has exited, even if the main thread is busy.
 */
const PARENT = workerData as number
setInterval(() => {
  if (process.ppid !== PARENT) process.kill(process.pid, 'SIGKILL')
}, 500)
