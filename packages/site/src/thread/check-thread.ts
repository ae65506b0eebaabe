import { parentPort } from 'node:worker_threads'
import { runTask } from './run-task.ts'
import type { CheckTask, ThreadMessage } from './task.ts'

const post = (message: ThreadMessage) => parentPort?.postMessage(message)

/** The thread itself: one answer for each task, in order. What a task throws is a fault of ours and ends the thread. */
parentPort?.on('message', ({ id, task }: { id: number; task: CheckTask }) => {
  post({ id, kind: 'began' })
  post({ id, kind: 'answer', value: runTask(task) })
})
