import { createHash } from 'node:crypto'
import type { Task } from '../task/task.ts'
import type { Tree } from '../task/tree.ts'

/**
 * Returns a short hash of all data that determines an attempt's grade. Two results are
 * comparable only if their hashes are equal.
 */
export function hashTask(task: Task, sites: Readonly<Record<string, () => Tree>>): string {
  const { repository, overlay = {}, prompt, earlier = null, policy = {}, sources, graders, gold } = task
  const base = 'site' in repository ? [...(sites[repository.site]?.() ?? [])].sort() : []
  const parts = [
    repository,
    base,
    overlay,
    prompt,
    earlier,
    policy,
    graders,
    gold.steps,
    ...(sources === undefined ? [] : [sources]),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
