import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GitObjects, openObjects } from './open-objects.ts'
import { runGit } from './run-git.ts'

export interface HistorySource {
  /** Folder of a clone, or a URL to clone. */
  readonly source: string
  /**
   * Number of most recent commits to visit. Merges are excluded because their content is in other
   * commits.
   */
  readonly commits: number
  print(line: string): void
}

/** A commit with a parent that the clone contains. */
export interface PastCommit {
  readonly hash: string
  readonly parent: string
  readonly subject: string
}

/** Opens a repository, clones it if necessary, and visits its newest commits, oldest first. */
export async function walkHistory<T>(
  { source, commits, print }: HistorySource,
  visit: (objects: GitObjects, commits: readonly PastCommit[]) => Promise<T>,
): Promise<T> {
  if (!/^[a-z]+:\/\/|^[\w.-]+@[\w.-]+:/i.test(source)) return await walk(source, commits, visit)
  const folder = await mkdtemp(join(tmpdir(), 'check-history-'))
  try {
    print(`Cloning ${source} …`)
    await runGit(folder, [
      'clone',
      '--quiet',
      '--bare',
      '--single-branch',
      '--depth',
      String(commits + 1),
      '--',
      source,
      '.',
    ])
    return await walk(folder, commits, visit)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function walk<T>(
  folder: string,
  count: number,
  visit: (objects: GitObjects, commits: readonly PastCommit[]) => Promise<T>,
): Promise<T> {
  const log = await runGit(folder, ['log', '--no-merges', `--max-count=${count}`, '--format=%H%x00%P%x00%s'])
  const commits = log.split('\n').flatMap((row) => {
    const [hash = '', parents = '', subject = ''] = row.split('\0')
    // A root commit and the oldest commit of a shallow clone have no parent.
    return parents === '' ? [] : [{ hash, parent: parents.split(' ')[0] ?? '', subject }]
  })
  const objects = openObjects(folder)
  try {
    return await visit(objects, commits.reverse())
  } finally {
    objects.close()
  }
}
