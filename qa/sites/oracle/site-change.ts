import { posix } from 'node:path'
import type { DocSite } from '../model/doc-site.ts'

/** A move or deletion of files: the sites before and after it, and its intention. */
export interface SiteChange {
  readonly before: DocSite
  readonly after: DocSite
  /** New paths keyed by the old ones; null for a deleted file. */
  readonly moves: ReadonlyMap<string, string | null>
}

/** Returns the path that a file has after the change, or null if it is deleted. */
export function toNewPath({ moves }: SiteChange, path: string): string | null {
  const moved = moves.get(path)
  return moved === undefined ? path : moved
}

/**
 * True if `now` refers after the change to the file that `old` referred to before it. `file` is the
 * file that contains the reference, before the change.
 */
export function isSameReference(change: SiteChange, file: string, old: string, now: string): boolean {
  const { before, after } = change
  const newFile = toNewPath(change, file)
  if (newFile === null) return false
  const targets = [before.resolve(file, old)?.file, before.resolveEntry(file, old)]
  const results = [after.resolve(newFile, now)?.file, after.resolveEntry(newFile, now)]
  for (const target of targets) {
    if (target == null) continue
    const expected = toNewPath(change, target)
    if (expected !== null && results.includes(expected)) return true
  }
  // Nextra's entries are single segments of the path.
  if (/(?:^|\/)_?meta\.[\w.]+$|_meta\.global/.test(file)) return isSameSegment(change, old, now)
  if (before.layout.framework === 'vitepress' && before.navigation.includes(file) && isSameTail(change, old, now))
    return true
  // A relative path to something that is no page, such as a folder or a missing file.
  if (/^[a-z]+:|^\//i.test(old)) return false
  const join = (from: string, path: string) => posix.normalize(posix.join(posix.dirname(from), decode(path)))
  return join(file, old) === join(newFile, now)
}

/** True if a segment of a moved file's path became another one. */
export function isSameSegment({ moves }: SiteChange, old: string, now: string): boolean {
  const toSegments = (path: string) => path.replace(/\.\w+$/, '').split('/')
  return [...moves].some(([from, to]) => {
    const segments = to === null ? [] : toSegments(to)
    return toSegments(from).some((segment, at) => segment === old && segments[at] === now)
  })
}

/**
 * True if a moved file's path ended with `old` and ends with `now`, and the rest of it is the same. In
 * VitePress, the links of a sidebar may be such ends, because `base` is put before them, and options
 * such as `ignoreFiles` contain paths in the content folder.
 */
export function isSameTail({ moves }: SiteChange, old: string, now: string): boolean {
  return [...moves].some(([from, to]) =>
    ['', /\.\w+$/, /\/index\.\w+$/].some((ending) => {
      const [path, newPath] = [from.replace(ending, ''), to?.replace(ending, '') ?? '']
      return (
        path.endsWith(old) &&
        newPath.endsWith(now) &&
        path.slice(0, path.length - old.length) === newPath.slice(0, newPath.length - now.length)
      )
    }),
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
