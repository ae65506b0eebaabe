import { runTask } from './run-task.ts'
import type { CheckRunner, CheckTask, CheckValue } from './task.ts'

/**
 * Builds a runner that executes tasks in this thread, one per turn of the event loop, without
 * limits. Intended for tests and for tools that do nothing else concurrently.
 */
export function buildInlineRunner(): CheckRunner {
  return {
    async run<T extends CheckTask>(task: T) {
      await new Promise((resolve) => setImmediate(resolve))
      return { done: true, value: (await runTask(task)) as CheckValue<T> }
    },
  }
}
