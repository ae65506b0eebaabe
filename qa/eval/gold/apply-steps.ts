import type { Step } from '../task/task.ts'
import { countText, type Tree } from '../task/tree.ts'

/** Thrown if a step does not match the tree, which is an error in the task. */
export class StepError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StepError'
  }
}

/**
 * Returns the tree after applying the steps. Edits match byte for byte.
 * @throws StepError
 */
export function applySteps(base: Tree, steps: readonly Step[]): Tree {
  const tree = new Map(base)
  const get = (path: string): string => {
    const text = tree.get(path)
    if (text === undefined) throw new StepError(`${path} does not exist.`)
    return text
  }
  for (const step of steps) {
    switch (step.do) {
      case 'edit': {
        const text = get(step.path)
        const found = step.old === '' ? 0 : countText(text, step.old)
        if (found !== (step.times ?? 1)) {
          const said = JSON.stringify(step.old.slice(0, 80))
          throw new StepError(`Occurrences of ${said} in ${step.path}: ${found}, expected ${step.times ?? 1}.`)
        }
        tree.set(
          step.path,
          text.replaceAll(step.old, () => step.new),
        )
        break
      }
      case 'write':
        tree.set(step.path, step.text)
        break
      case 'move':
        if (tree.has(step.to)) throw new StepError(`${step.to} already exists.`)
        tree.set(step.to, get(step.path))
        tree.delete(step.path)
        break
      case 'delete':
        get(step.path)
        tree.delete(step.path)
        break
    }
  }
  return tree
}
