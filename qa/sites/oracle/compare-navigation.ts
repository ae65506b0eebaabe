import type { DocSite } from '../model/doc-site.ts'
import type { Fault } from './fault.ts'
import { readScalars, type Scalar } from './read-scalars.ts'
import { isSameSegment, isSameTail, type SiteChange, toNewPath } from './site-change.ts'

/** Keys whose values are words for readers. */
const WORDS =
  /(?:^|\.)(?:label|text|title|name|description|tagline|alt|icon|group|tab|anchor|dropdown|lang|locale|hreflang)$/
const REDIRECT_FILE = /(?:^|\/)(?:_redirects|redirects?\.\w+|vercel\.json|netlify\.toml|\.gitbook\.ya?ml)$/

/**
 * Compares the values of every navigation file: the entries after the change must be those before
 * it with the moved files renamed and the deleted ones gone.
 */
export function compareNavigation(change: SiteChange, removesEntries: boolean): Fault[] {
  const { before, after } = change
  return before.navigation.flatMap((path): Fault[] => {
    const newPath = toNewPath(change, path)
    const [text, newText] = [before.tree.text(path), newPath === null ? null : after.tree.text(newPath)]
    if (text === null || newPath === null) return []
    const report = (kind: Fault['kind'], message: string): Fault[] => [{ kind, file: path, line: null, message }]
    if (newText === null) return report('damage', 'the navigation file is gone')
    const old = readScalars(path, text)
    if (old === null) return []
    const now = readScalars(newPath, newText)
    if (now === null) return report('damage', 'the navigation file no longer parses')
    return [...compareEntries(change, path, old, now, removesEntries), ...compareDestinations(change, path, old, now)]
  })
}

function compareEntries(
  change: SiteChange,
  file: string,
  old: readonly Scalar[],
  now: readonly Scalar[],
  removesEntries: boolean,
): Fault[] {
  const faults: Fault[] = []
  const counts = new Map<string, number>()
  const labels = new Map<string, number>()
  const count = (key: string | null, label: string, by: number) => {
    const map = key === null ? labels : counts
    map.set(key ?? label, (map.get(key ?? label) ?? 0) + by)
  }
  let hasLost = false
  for (const { value, pointer } of old.filter((scalar) => !isRedirect(file, scalar))) {
    const target = isEntry(file, { value, pointer }) ? change.before.resolveEntry(file, value) : null
    const kept = target === null ? null : toNewPath(change, target)
    if (target !== null && kept === null && removesEntries) hasLost = true
    else count(target === null || kept === null ? null : kept, value, 1)
  }
  const newFile = toNewPath(change, file) ?? file
  for (const { value, pointer } of now.filter((scalar) => !isRedirect(file, scalar)))
    count(isEntry(newFile, { value, pointer }) ? change.after.resolveEntry(newFile, value) : null, value, -1)
  for (const [key, number] of counts) {
    if (number > 0)
      faults.push({
        kind: isTarget(change, key) ? 'stale' : 'damage',
        file,
        line: null,
        message: `${number} entries of ${key} are lost`,
      })
    if (number < 0) faults.push({ kind: 'damage', file, line: null, message: `${-number} entries of ${key} are new` })
  }
  if (/(?:^|\/)_?meta\b/.test(file)) {
    cancelRenamed(labels, (old, now) => isSameSegment(change, old, now))
    hasLost = hasLostSegment(change, labels) || hasLost
  } else if (change.before.layout.framework === 'vitepress') {
    cancelRenamed(labels, (old, now) => isSameTail(change, old, now))
    hasLost = hasLostTail(change, labels) || hasLost
  }
  for (const [label, number] of labels) {
    // The label of a removed entry, and of a group without entries, may be gone.
    if (number > 0 && !hasLost)
      faults.push({ kind: 'damage', file, line: null, message: `the value ${JSON.stringify(label)} is lost` })
    if (number < 0)
      faults.push({ kind: 'stale', file, line: null, message: `the value ${JSON.stringify(label)} leads nowhere` })
  }
  return faults
}

/** Removes the values of moved files from the counts. */
function cancelRenamed(labels: Map<string, number>, isRenamed: (old: string, now: string) => boolean): void {
  for (const [old, lost] of labels) {
    for (const [now, added] of labels) {
      if (lost !== -added || lost <= 0 || !isRenamed(old, now)) continue
      labels.set(old, 0)
      labels.set(now, 0)
      break
    }
  }
}

/** Returns true if a key of a deleted file is gone, so that its title may be gone as well. */
function hasLostSegment(change: SiteChange, labels: ReadonlyMap<string, number>): boolean {
  const deleted = [...change.moves].flatMap(([path, to]) => (to === null ? path.replace(/\.\w+$/, '').split('/') : []))
  return deleted.some((segment) => (labels.get(segment) ?? 0) > 0)
}

/** Does the same for the end of a deleted file's path. */
function hasLostTail({ moves }: SiteChange, labels: ReadonlyMap<string, number>): boolean {
  const deleted = [...moves].flatMap(([path, to]) => (to === null ? path.replace(/(?:\/index)?\.\w+$/, '') : []))
  return [...labels].some(([label, lost]) => lost > 0 && deleted.some((path) => path.endsWith(label)))
}

function compareDestinations(
  change: SiteChange,
  file: string,
  old: readonly Scalar[],
  now: readonly Scalar[],
): Fault[] {
  const list = (site: DocSite, scalars: readonly Scalar[]) =>
    scalars
      .filter((scalar) => isRedirect(file, scalar) && !/\.(?:source|from)$/i.test(scalar.pointer))
      .map(({ value }) => ({ value, target: site.resolveEntry(file, value) }))
  const after = list(change.after, now)
  return list(change.before, old).flatMap(({ value, target }): Fault[] => {
    const expected = target === null ? null : toNewPath(change, target)
    if (expected === null || after.some((other) => other.target === expected)) return []
    return [{ kind: 'stale', file, line: null, message: `the redirect to ${value} no longer leads to ${expected}` }]
  })
}

/**
 * True if a value may lead to a page. In Hugo's settings, words such as language codes do not. The
 * paths of snippets start at their own folder.
 */
function isEntry(file: string, { value, pointer }: Scalar): boolean {
  if (WORDS.test(pointer) || pointer.includes('pymdownx.snippets')) return false
  return value.includes('/') || !/(?:^|\/)(?:hugo|config)\.\w+$/.test(file)
}

function isRedirect(file: string, { pointer }: Scalar): boolean {
  return REDIRECT_FILE.test(file) || /redirect|rewrite/i.test(pointer)
}

function isTarget({ moves }: SiteChange, path: string): boolean {
  return [...moves.values()].includes(path)
}
