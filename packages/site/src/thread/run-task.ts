import { readPage } from '../pages/read-page.ts'
import { runMarkdownlint } from './run-markdownlint.ts'
import type { CheckTask, CheckValue } from './task.ts'

/** Runs a task immediately. Synchronous CPU work without a time limit. */
export function runTask(task: CheckTask): CheckValue<CheckTask> {
  return task.kind === 'page' ? readPage(task.bytes, task.dialect) : runMarkdownlint(task.bytes, task.rules)
}
