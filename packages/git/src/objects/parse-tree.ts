import { isDotGit, isUnaddressable } from '../workspace/path-rules.ts'
import { RepositoryError } from './repository-error.ts'

/** A mode in the form that Git writes today. */
export type TreeMode = '40000' | '100644' | '100755' | '120000' | '160000'

export interface TreeEntry {
  /** The tree may contain a different spelling of the mode, such as `100664` or `040000`. */
  readonly mode: TreeMode
  readonly oid: string
  /**
   * Null if tools cannot address the entry, because its name is not UTF-8 or contains a backslash
   * or a control character.
   */
  readonly name: string | null
  readonly nameBytes: Buffer
  /** Range of the entry's bytes in the tree: `start` (inclusive) to `end` (exclusive). */
  readonly start: number
  readonly end: number
}

export interface ParsedTree {
  readonly bytes: Buffer
  readonly entries: readonly TreeEntry[]
}

const MAX_NAME_BYTES = 255
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const TYPE_BITS = 0o170000
const OWNER_EXECUTES = 0o100

/**
 * Reads a mode as Git does (`canon_mode` in cache.h): the type bits, and for a file whether its
 * owner may execute it. Returns null for other types.
 */
function findMode(text: string): TreeMode | null {
  if (!/^[0-7]{1,11}$/.test(text)) return null
  const bits = Number.parseInt(text, 8)
  switch (bits & TYPE_BITS) {
    case 0o040000:
      return '40000'
    case 0o100000:
      return (bits & OWNER_EXECUTES) === 0 ? '100644' : '100755'
    case 0o120000:
      return '120000'
    case 0o160000:
      return '160000'
    default:
      return null
  }
}

/**
 * Parses a tree object into its entries. Names remain bytes, so that an edit can preserve all other
 * entries.
 * @throws {RepositoryError} `unreadable_tree` for unknown modes, `hostile_tree` for errors that
 *   `git fsck` reports
 */
export function parseTree(bytes: Buffer): ParsedTree {
  const entries: TreeEntry[] = []
  const seen = new Set<string>()
  let previous: TreeEntry | null = null
  let offset = 0
  while (offset < bytes.length) {
    const space = bytes.indexOf(32, offset)
    const zero = space < 0 ? -1 : bytes.indexOf(0, space + 1)
    if (zero < 0 || zero + 21 > bytes.length) throw unreadable('is truncated')
    const written = bytes.toString('latin1', offset, space)
    const mode = findMode(written)
    if (mode === null) throw unreadable(`has an entry with mode ${JSON.stringify(written.slice(0, 12))}`)
    const nameBytes = bytes.subarray(space + 1, zero)
    const entry: TreeEntry = {
      mode,
      oid: bytes.toString('hex', zero + 1, zero + 21),
      name: toName(nameBytes),
      nameBytes,
      start: offset,
      end: zero + 21,
    }
    checkName(nameBytes)
    const key = nameBytes.toString('latin1')
    if (seen.has(key)) throw hostile('contains two entries with the same name')
    if (previous && compareEntries(previous, entry) >= 0) throw hostile('is not sorted')
    seen.add(key)
    entries.push(entry)
    previous = entry
    offset = entry.end
  }
  return { bytes, entries }
}

/**
 * Compares entries in Git's order, which sorts names as bytes and directory names as if they ended
 * with a slash.
 */
export function compareEntries(a: Pick<TreeEntry, 'mode' | 'nameBytes'>, b: Pick<TreeEntry, 'mode' | 'nameBytes'>) {
  const shared = Math.min(a.nameBytes.length, b.nameBytes.length)
  const order = a.nameBytes.compare(b.nameBytes, 0, shared, 0, shared)
  return order !== 0 ? order : byteBehind(a, shared) - byteBehind(b, shared)
}

function byteBehind(entry: Pick<TreeEntry, 'mode' | 'nameBytes'>, at: number): number {
  return entry.nameBytes[at] ?? (entry.mode === '40000' ? 47 : 0)
}

function toName(bytes: Buffer): string | null {
  try {
    const name = decoder.decode(bytes)
    return isUnaddressable(name) ? null : name
  } catch {
    return null
  }
}

/**
 * Checks a name's bytes, because names such as `..` must be rejected even if the entry has no valid
 * UTF-8 name.
 */
function checkName(bytes: Buffer): void {
  if (bytes.length === 0) throw hostile('contains an entry without a name')
  if (bytes.length > MAX_NAME_BYTES) throw hostile(`contains a name of more than ${MAX_NAME_BYTES} bytes`)
  if (bytes.includes(47)) throw hostile('contains a name with a slash')
  const name = bytes.toString('utf8')
  if (name === '.' || name === '..') throw hostile('contains an entry named . or ..')
  if (isDotGit(name)) throw hostile('contains an entry named like a Git directory')
}

function unreadable(how: string): RepositoryError {
  return new RepositoryError('unreadable_tree', `A directory in the repository ${how}. This service cannot read it.`)
}

function hostile(how: string): RepositoryError {
  return new RepositoryError(
    'hostile_tree',
    `A directory in the repository ${how}. This service does not accept such repositories.`,
  )
}
