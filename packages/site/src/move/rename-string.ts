import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { isBelow, toFolder, toInner, toRelative } from '../pages/paths.ts'
import { findStringTarget, type StringTarget } from '../references/find-string-target.ts'
import type { MoveInput } from './move-input.ts'
import { retargetLink } from './retarget-link.ts'

/**
 * Returns the text in a configuration file that names a moved file after the move, in the same form.
 * Returns the text itself if the file does not move, and null if no such text is possible.
 */
export function renameString(
  { repository, after, moves }: Pick<MoveInput, 'repository' | 'after' | 'moves'>,
  site: Site,
  file: string,
  value: string,
  { path, kind, folder }: StringTarget,
): string | null {
  const newTarget = moves.get(path)
  if (newTarget === undefined) return value
  const now = findSite(after.sites, newTarget)
  if (kind === 'file') {
    const dots = value.startsWith('./') ? './' : ''
    if (isBelow(newTarget, folder)) return `${dots}${toInner(newTarget, folder)}`
    return folder === toFolder(file) ? toRelative(folder, newTarget) : null
  }
  const before = repository.index
  if (findSite(before.sites, path) !== site || now.framework !== site.framework) return null
  const slash = value.startsWith('/') ? '' : '/'
  const input = { before, after, page: path, newPage: newTarget, target: path, newTarget }
  const text = retargetLink({ ...input, href: `${slash}${value}` })?.slice(slash.length) ?? null
  const key = 'link'
  return text !== null && findStringTarget(after, now, file, { value: text, key, start: 0, end: 0 })?.path === newTarget
    ? text
    : null
}
