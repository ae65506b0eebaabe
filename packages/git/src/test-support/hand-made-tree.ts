import { runGit } from './fixture.ts'

export interface HandMadeEntry {
  readonly mode: string
  readonly name: string | Buffer
  /** Blob content. Alternatively, set `tree` or `oid`. */
  readonly content?: string
  readonly tree?: readonly HandMadeEntry[]
  readonly oid?: string
}

/**
 * Writes a tree that no regular client would write, with unsorted or duplicate entries and
 * arbitrary names. Returns its ID.
 */
export function writeTree(dir: string, entries: readonly HandMadeEntry[]): string {
  const raw = entries.map((entry) => {
    const oid = entry.oid ?? (entry.tree ? writeTree(dir, entry.tree) : writeBlob(dir, entry.content ?? ''))
    return Buffer.concat([
      Buffer.from(`${entry.mode} `),
      Buffer.from(entry.name as string),
      Buffer.from([0]),
      Buffer.from(oid, 'hex'),
    ])
  })
  return runGit(dir, ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], Buffer.concat(raw))
}

export function writeBlob(dir: string, content: string): string {
  return runGit(dir, ['hash-object', '-w', '--stdin'], content)
}

/** Commits a tree to the main branch. */
export function commitTree(dir: string, tree: string): string {
  const commit = runGit(dir, ['commit-tree', tree, '-m', 'hostile'])
  runGit(dir, ['update-ref', 'refs/heads/main', commit])
  return commit
}
