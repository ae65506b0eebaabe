import { readPage } from '../pages/read-page.ts'
import { runMarkdownlint } from './run-markdownlint.ts'
import type { CheckTask, CheckValue } from './task.ts'

/** Do a task here and now. Synchronous CPU work without a limit of its own. */
export function runTask(task: CheckTask): CheckValue<CheckTask> {
  return task.kind === 'page' ? readPage(task.bytes, task.dialect) : runMarkdownlint(task.bytes, task.rules)
}
