import { RepositoryError } from '../objects/repository-error.ts'
import { buildYielder } from '../objects/yield-to-event-loop.ts'
import type { BaseEntry, Snapshot } from '../snapshot/snapshot.ts'
import { buildGlob, GlobError } from '../text/build-glob.ts'

/** A pointer is smaller than 1024 bytes (git-lfs, docs/spec.md). */
const MAX_POINTER_BYTES = 1024
/** Limits far above the values in legitimate repositories. */
const MAX_ATTRIBUTES_BYTES = 256 * 1024
const MAX_LINE_CHARS = 300
const MAX_PATTERNS = 200
/**
 * Maximum number of path characters times patterns. Matching at this limit takes a few seconds,
 * with yields to the event loop.
 */
const MAX_MATCHED_CHARS = 20_000_000
const POINTER_START = 'version https://git-lfs.github.com/spec/'

/** Returns true if a file is a Git LFS pointer. */
function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length >= MAX_POINTER_BYTES) return false
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text.startsWith(POINTER_START) && /^oid sha256:[0-9a-f]{64}$/m.test(text) && /^size \d+$/m.test(text)
}

/**
 * Returns true if a downloaded blob is a pointer. Does not unpack blobs that are too large to be
 * pointers.
 */
export async function isPointerBlob(snapshot: Snapshot, oid: string): Promise<boolean> {
  const bytes = await readUpTo(snapshot, oid, MAX_POINTER_BYTES)
  return bytes !== null && isLfsPointer(bytes)
}

/**
 * Returns the paths of the LFS pointers in a snapshot. Opens only the files that a `.gitattributes`
 * file assigns to LFS, because reading every file in a large repository would cost more than the
 * rest of the job. Pointers that are missed because of the limits are detected when they are
 * opened.
 */
export async function findLfsPointers(snapshot: Snapshot, entries: readonly BaseEntry[]): Promise<ReadonlySet<string>> {
  const yieldToEventLoop = buildYielder()
  const tracked: ((path: string) => boolean)[] = []
  for (const { path, oid, kind } of entries) {
    if (kind !== 'file' || !(path === '.gitattributes' || path.endsWith('/.gitattributes'))) continue
    const text = (await readUpTo(snapshot, oid, MAX_ATTRIBUTES_BYTES))?.toString('utf8') ?? ''
    for (const line of text
      .split('\n')
      .filter(isLfsLine)
      .slice(0, MAX_PATTERNS - tracked.length)) {
      tracked.push(...toTrackedPaths(line, path.slice(0, -'.gitattributes'.length)))
      await yieldToEventLoop()
    }
    if (tracked.length >= MAX_PATTERNS) break
  }
  const pointers = new Set<string>()
  if (tracked.length === 0) return pointers
  let left = MAX_MATCHED_CHARS
  for (const { path, oid, kind } of entries) {
    left -= path.length * tracked.length
    if (left < 0) break
    // A blob that a size filter omitted is too large to be a pointer.
    if (kind !== 'file' || !snapshot.hasBlob(oid)) continue
    for (const matches of tracked) {
      await yieldToEventLoop()
      if (!matches(path)) continue
      if (await isPointerBlob(snapshot, oid)) pointers.add(path)
      break
    }
  }
  return pointers
}

function isLfsLine(line: string): boolean {
  return line.length <= MAX_LINE_CHARS && line.includes('filter=lfs')
}

async function readUpTo(snapshot: Snapshot, oid: string, maxBytes: number): Promise<Buffer | null> {
  return snapshot.readBlob(oid, maxBytes).catch((error) => {
    if (error instanceof RepositoryError && error.code === 'too_large') return null
    throw error
  })
}

/**
 * Parses patterns according to gitattributes(5). Patterns without a slash match file names at any
 * depth.
 */
function toTrackedPaths(attributes: string, dir: string): ((path: string) => boolean)[] {
  return attributes.split('\n').flatMap((line) => {
    const [, pattern, rest] = /^\s*("(?:[^"\\]|\\.)*"|[^\s"#]\S*)\s+(.*)$/.exec(line) ?? []
    if (pattern === undefined || !/(^|\s)filter=lfs(\s|$)/.test(rest ?? '')) return []
    const glob = pattern.replace(/^"|"$/g, '')
    const byName = !glob.replace(/\/$/, '').includes('/')
    const matches = buildMatcher(byName ? glob : glob.replace(/^\//, ''))
    if (matches === null) return []
    return [
      (path: string) => {
        if (!path.startsWith(dir)) return false
        const below = path.slice(dir.length)
        return matches(byName ? below.slice(below.lastIndexOf('/') + 1) : below)
      },
    ]
  })
}

/** Builds a matcher. Returns null for an invalid pattern, which tracks no files. */
function buildMatcher(glob: string): ((path: string) => boolean) | null {
  try {
    return buildGlob(glob, { braces: false })
  } catch (error) {
    if (error instanceof GlobError) return null
    throw error
  }
}
