import { parentPort } from 'node:worker_threads'
import { runTask } from './run-task.ts'
import type { CheckTask } from './task.ts'

/** The thread itself: one answer for each task, in order. What a task throws is a fault of ours and ends the thread. */
parentPort?.on('message', ({ id, task }: { id: number; task: CheckTask }) => {
  parentPort?.postMessage({ id, value: runTask(task) })
})
