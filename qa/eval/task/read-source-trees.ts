import type { Task } from './task.ts'
import type { Tree } from './tree.ts'

/** The files of a source after its last commit, including those that the model may not read. */
export interface SourceTree {
  readonly isPrivate: boolean
  readonly files: Tree
}

/** Returns the sources of a task by name. */
export function readSourceTrees({ sources = [] }: Pick<Task, 'sources'>): ReadonlyMap<string, SourceTree> {
  return new Map(
    sources.map(({ name, visibility, commits }) => {
      const files = new Map<string, string>()
      for (const [path, text] of commits.flatMap((commit) => Object.entries(commit.files))) {
        if (text === null) files.delete(path)
        else files.set(path, text)
      }
      return [name, { isPrivate: visibility === 'private', files }] as const
    }),
  )
}
