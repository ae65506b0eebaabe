import { parentPort } from 'node:worker_threads'
import { runTask } from './run-task.ts'
import type { CheckTask, ThreadMessage } from './task.ts'

const post = (message: ThreadMessage) => parentPort?.postMessage(message)
let last = Promise.resolve()

/**
 * Entry point of the thread. Runs one task after the other and posts one answer for each. An error
 * in a task is a product bug and terminates the thread.
 */
parentPort?.on('message', ({ id, task }: { id: number; task: CheckTask }) => {
  last = last.then(async () => {
    post({ id, kind: 'began' })
    post({ id, kind: 'answer', value: await runTask(task) })
  })
})
