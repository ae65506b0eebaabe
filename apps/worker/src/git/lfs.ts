import picomatch from 'picomatch'
import type { BaseEntry } from './list-tree.ts'
import type { Snapshot } from './open-snapshot.ts'

/** A pointer is less than 1024 bytes (git-lfs, docs/spec.md). */
const maxPointerBytes = 1024
const pointerStart = 'version https://git-lfs.github.com/spec/'

/** Whether a file stands for another one that Git LFS keeps elsewhere. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length >= maxPointerBytes) return false
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text.startsWith(pointerStart) && /^oid sha256:[0-9a-f]{64}$/m.test(text) && /^size \d+$/m.test(text)
}

/**
 * The LFS pointers of a snapshot, by path. Only what some `.gitattributes` gives to LFS is opened: looking into every file of a
 * large repository would cost more than the whole job.
 */
export async function findLfsPointers(snapshot: Snapshot, entries: readonly BaseEntry[]): Promise<ReadonlySet<string>> {
  const tracked: ((path: string) => boolean)[] = []
  for (const { path, oid, kind } of entries) {
    if (kind !== 'file' || !(path === '.gitattributes' || path.endsWith('/.gitattributes'))) continue
    const text = (await snapshot.readBlob(oid)).toString('utf8')
    tracked.push(...toTrackedPaths(text, path.slice(0, -'.gitattributes'.length)))
  }
  const pointers = new Set<string>()
  if (tracked.length === 0) return pointers
  for (const { path, oid, kind } of entries) {
    // A blob that a size filter left out is no pointer.
    if (kind !== 'file' || !snapshot.hasBlob(oid) || !tracked.some((matches) => matches(path))) continue
    if (isLfsPointer(await snapshot.readBlob(oid))) pointers.add(path)
  }
  return pointers
}

/** Patterns as gitattributes(5) reads them: without a slash they match the file's name at any depth. */
function toTrackedPaths(attributes: string, dir: string): ((path: string) => boolean)[] {
  return attributes.split('\n').flatMap((line) => {
    const [, pattern, rest] = /^\s*("(?:[^"\\]|\\.)*"|[^\s"#]\S*)\s+(.*)$/.exec(line) ?? []
    if (pattern === undefined || !/(^|\s)filter=lfs(\s|$)/.test(rest ?? '')) return []
    const glob = pattern.replace(/^"|"$/g, '')
    const byName = !glob.replace(/\/$/, '').includes('/')
    const matches = picomatch(byName ? glob : glob.replace(/^\//, ''), { dot: true, nobrace: true, noextglob: true })
    return [
      (path: string) => {
        if (!path.startsWith(dir)) return false
        const below = path.slice(dir.length)
        return matches(byName ? below.slice(below.lastIndexOf('/') + 1) : below)
      },
    ]
  })
}
