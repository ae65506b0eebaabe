import type { Task } from '../task/task.ts'
import type { Tree } from '../task/tree.ts'

/** Returns the site with the task's overlay applied. */
export function applyOverlay(site: Tree, { overlay = {} }: Pick<Task, 'overlay'>): Tree {
  const tree = new Map(site)
  for (const [path, text] of Object.entries(overlay)) {
    if (text === null) tree.delete(path)
    else tree.set(path, text)
  }
  return tree
}
