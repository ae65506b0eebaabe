import { hashObject } from '@corrigenda/git/objects'
import type { Snapshot } from '@corrigenda/git/snapshot'
import { listTree } from '@corrigenda/git/snapshot'
import type { WorkTree } from '@corrigenda/git/work-tree'
import type { ChangedFile } from './to-changes.ts'

/** A file before or after the change: its mode, object id and a function that reads its content. */
interface Side {
  readonly mode: string
  readonly oid: string
  readonly read: () => Promise<Uint8Array>
}

/**
 * Returns all differences between a work tree and a base commit, sorted by path. The result is the
 * input of {@link toChanges}. The base is the work tree's commit or, for a follow-up, the pull
 * request's base commit, so the result includes changes by earlier runs and users on the branch.
 * @throws RepositoryError, GitHttpError if a file cannot be read; Error if more than `maxFiles`
 * files changed
 */
export async function readChangedFiles(input: {
  base: Snapshot
  workTree: Pick<WorkTree, 'snapshot' | 'overlay'>
  /** Maximum number of changed files. If it is exceeded, no files are read. */
  maxFiles?: number
}): Promise<ChangedFile[]> {
  const { base, workTree, maxFiles = Number.POSITIVE_INFINITY } = input
  const before = await listFiles(base)
  const now = new Map(await listFiles(workTree.snapshot))
  for (const { path, mode, content } of workTree.overlay()) {
    if (content === null) now.delete(path)
    else now.set(path, { mode, oid: hashObject('blob', content), read: async () => content })
  }
  const paths = [...new Set([...before.keys(), ...now.keys()])].filter((path) => {
    const [old, young] = [before.get(path), now.get(path)]
    return old?.oid !== young?.oid || old?.mode !== young?.mode
  })
  if (paths.length > maxFiles) throw new Error(`${paths.length} files differ. The limit is ${maxFiles}.`)
  const changes: ChangedFile[] = []
  for (const path of paths.sort()) changes.push(await readChange(path, before.get(path), now.get(path)))
  return changes
}

/** Lists a snapshot's files, excluding submodules, which have no content. */
async function listFiles(snapshot: Snapshot): Promise<Map<string, Side>> {
  const { entries } = await listTree(snapshot)
  const files = entries.filter((entry) => entry.kind !== 'submodule')
  return new Map(files.map(({ path, mode, oid }) => [path, { mode, oid, read: () => snapshot.readBlob(oid) }]))
}

async function readChange(path: string, before: Side | undefined, now: Side | undefined): Promise<ChangedFile> {
  return {
    path,
    kind: before === undefined ? 'added' : now === undefined ? 'deleted' : 'modified',
    before: (await before?.read()) ?? null,
    after: (await now?.read()) ?? null,
    ...(before && { oldMode: before.mode }),
    ...(now && { mode: now.mode }),
  }
}
