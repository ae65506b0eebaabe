import { compareBytes } from './compare-bytes.ts'
import { compareLinks } from './compare-links.ts'
import { compareNavigation } from './compare-navigation.ts'
import type { Fault } from './fault.ts'
import { type SiteChange, toNewPath } from './site-change.ts'

/**
 * Judges a move or a deletion with the oracle's own reading of both states. Shares no code with the
 * product.
 * @param removesEntries true if the navigation entries of deleted files had to be removed
 */
export function judgeChange(change: SiteChange, removesEntries: boolean): Fault[] {
  const { before, after } = change
  const expected = new Set(before.tree.paths.flatMap((path) => toNewPath(change, path) ?? []))
  const faults: Fault[] = []
  for (const path of after.tree.paths)
    if (!expected.delete(path)) faults.push({ kind: 'damage', file: path, line: null, message: 'a file was added' })
  for (const path of expected) faults.push({ kind: 'damage', file: path, line: null, message: 'a file is gone' })
  for (const path of before.tree.paths) {
    const newPath = toNewPath(change, path)
    if (newPath === null) continue
    const [old, now] = [before.tree.text(path), after.tree.text(newPath)]
    if (old === now) continue
    if (old === null || now === null)
      faults.push({ kind: 'damage', file: path, line: null, message: 'the file is no longer text' })
    else faults.push(...compareBytes(change, path, old, now))
  }
  return [...faults, ...compareNavigation(change, removesEntries), ...compareLinks(change)]
}
