import type { ParsedTree } from './parse-tree.ts'
import { RepositoryError } from './repository-error.ts'

export interface TreeLimits {
  /**
   * Maximum number of paths, including directories. This differs from the number of objects,
   * because a tree can occur several times.
   */
  readonly maxEntries: number
  /** Maximum directory nesting depth. */
  readonly maxDepth: number
  /** Maximum size of a tree object, in bytes. */
  readonly maxTreeBytes: number
}

export const DEFAULT_TREE_LIMITS: TreeLimits = { maxEntries: 100_000, maxDepth: 64, maxTreeBytes: 16 * 1024 * 1024 }

interface TreeCheck {
  readTree(oid: string): Promise<ParsedTree>
  /** Returns true if the tree has already been checked. */
  isKnown(oid: string): boolean
  hasTree(oid: string): boolean
  /** Returns true if a blob exists or may have been omitted by a filter. */
  hasBlob(oid: string): boolean
  readonly limits: TreeLimits
}

interface Extent {
  readonly entries: number
  readonly depth: number
}

/**
 * Checks that all of a tree's entries exist and that the tree is within the limits. Reads each tree
 * object only once, so nine objects that represent 10^8 paths cost nine reads.
 * @throws {RepositoryError} `too_large`, `corrupt_pack`, `hostile_tree`, `unreadable_tree`
 */
export async function checkTrees(check: TreeCheck, root: string): Promise<void> {
  const { limits } = check
  const extents = new Map<string, Extent>()
  const measure = async (oid: string, level: number): Promise<Extent> => {
    if (level > limits.maxDepth) throw tooDeep(limits)
    const known = extents.get(oid)
    if (known) {
      if (level + known.depth > limits.maxDepth) throw tooDeep(limits)
      return known
    }
    if (!check.hasTree(oid)) throw incomplete()
    let entries = 0
    let depth = 0
    for (const entry of (await check.readTree(oid)).entries) {
      entries++
      if (entry.mode === '40000') {
        if (!check.isKnown(entry.oid)) {
          const extent = await measure(entry.oid, level + 1)
          entries += extent.entries
          depth = Math.max(depth, extent.depth + 1)
        }
      } else if (entry.mode !== '160000' && !check.hasBlob(entry.oid)) throw incomplete()
      if (entries > limits.maxEntries) throw tooMany(limits)
    }
    const extent = { entries, depth }
    extents.set(oid, extent)
    return extent
  }
  await measure(root, 0)
}

export function tooDeep(limits: TreeLimits): RepositoryError {
  return new RepositoryError(
    'too_large',
    `The repository has directories nested more than ${limits.maxDepth} levels deep.`,
  )
}

export function tooMany(limits: TreeLimits): RepositoryError {
  return new RepositoryError('too_large', `The repository has more than ${limits.maxEntries} files and directories.`)
}

function incomplete(): RepositoryError {
  return new RepositoryError('corrupt_pack', 'The Git host sent a tree with missing objects.')
}
