import { parentPort } from 'node:worker_threads'
import { runTask } from './run-task.ts'
import type { CheckTask, ThreadMessage } from './task.ts'

const post = (message: ThreadMessage) => parentPort?.postMessage(message)

/**
 * Entry point of the thread. Posts one answer for each task, in order. An error in a task is a
 * product bug and terminates the thread.
 */
parentPort?.on('message', ({ id, task }: { id: number; task: CheckTask }) => {
  post({ id, kind: 'began' })
  post({ id, kind: 'answer', value: runTask(task) })
})
