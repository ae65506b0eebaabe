import type { SourceCommit, TaskSource } from '../task/task.ts'

type Files = Readonly<Record<string, string>>

/** Age of the first commit of a source. It is older than the recent changes. */
const FIRST = 120

/**
 * Builds a source with a first commit and the commits of a task. Later commits are edits of files or
 * new files.
 */
export function buildHistory(
  facts: Pick<TaskSource, 'name' | 'visibility' | 'paths'>,
  files: Files,
  commits: readonly SourceCommit[] = [],
): TaskSource {
  return { ...facts, commits: [{ message: 'Import the code', daysAgo: FIRST, files }, ...commits] }
}

/**
 * Returns a file with replacements, each of a text that occurs once.
 * @throws if a text does not occur once
 */
export function change(files: Files, path: string, ...edits: readonly (readonly [from: string, to: string])[]): Files {
  let text = files[path] ?? ''
  for (const [from, to] of edits) {
    if (text.split(from).length !== 2) throw new Error(`${path} does not contain ${JSON.stringify(from)} once.`)
    text = text.replace(from, () => to)
  }
  return { [path]: text }
}
