import { tooDeep, tooMany } from '../objects/check-trees.ts'
import type { TreeEntry, TreeMode } from '../objects/parse-tree.ts'
import { buildYielder, yieldForEntries } from '../objects/yield-to-event-loop.ts'
import type { EntryKind } from '../workspace/workspace.ts'
import type { BaseEntry, Snapshot, SubtreeListing } from './snapshot.ts'

const MAX_PATH_BYTES = 4096
const ENTRIES_AT_ONCE = 1_024

/**
 * Lists every file in a snapshot. Caches subtrees by content and path, so that only the changed
 * directories are reread after a small commit.
 * @throws {RepositoryError} `too_large`, `hostile_tree`, `unreadable_tree`
 */
export function listTree(snapshot: Snapshot): Promise<SubtreeListing> {
  return listSubtree(snapshot, snapshot.tree, '', 0)
}

async function listSubtree(snapshot: Snapshot, oid: string, prefix: string, depth: number): Promise<SubtreeListing> {
  const { limits, listings } = snapshot
  if (depth > limits.tree.maxDepth) throw tooDeep(limits.tree)
  const key = `${snapshot.cacheKey}:${oid}:${prefix}`
  const known = listings.get(key)
  if (known) return known
  const tree = await snapshot.readTree(oid)
  await yieldForEntries(tree.entries.length)
  const entries: BaseEntry[] = []
  const pinned: string[] = []
  let count = 0
  const yieldToEventLoop = buildYielder()
  if (tree.entries.length === 0 && prefix !== '') pinned.push(prefix.slice(0, -1))
  const ordered = inPathOrder(tree.entries)
  await yieldForEntries(tree.entries.length)
  for (const { entry, name } of ordered) {
    count++
    const path = `${prefix}${name}`
    if (name === null || Buffer.byteLength(path) > MAX_PATH_BYTES) {
      if (pinned.length === 0) pinned.push(prefix.slice(0, -1))
    } else if (entry.mode === '40000') {
      const below = await listSubtree(snapshot, entry.oid, `${path}/`, depth + 1)
      for (const child of below.entries) entries.push(child)
      for (const child of below.pinned) pinned.push(child)
      count += below.count
    } else {
      entries.push({ path, ...toKind(entry.mode), oid: entry.oid, mode: entry.mode })
    }
    if (count > limits.tree.maxEntries) throw tooMany(limits.tree)
    if (entries.length % ENTRIES_AT_ONCE === 0) await yieldToEventLoop()
  }
  const listing = { entries, pinned, count }
  listings.set(key, listing)
  await yieldForEntries(count)
  return listing
}

/**
 * Sorts entries so that all paths below them are in code-unit order. Directory names are compared
 * with a trailing slash.
 */
function inPathOrder(entries: readonly TreeEntry[]): { entry: TreeEntry; name: string | null }[] {
  const keyed = entries.map((entry) => ({
    entry,
    name: entry.name,
    key: entry.mode === '40000' ? `${entry.name}/` : (entry.name ?? ''),
  }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

function toKind(mode: TreeMode): { kind: EntryKind; executable: boolean } {
  if (mode === '120000') return { kind: 'symlink', executable: false }
  if (mode === '160000') return { kind: 'submodule', executable: false }
  return { kind: 'file', executable: mode === '100755' }
}
