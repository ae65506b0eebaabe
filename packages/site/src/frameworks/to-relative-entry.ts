import { toFolder, toRelative } from '../pages/paths.ts'
import type { EntryPlace } from './framework.ts'

/** Returns a page's path relative to the navigation file, with `./` if `like` has it. */
export function toRelativeEntry({ like, page }: Pick<EntryPlace, 'like' | 'page'>): string {
  const path = toRelative(toFolder(like.file), page)
  return like.page.startsWith('./') && !path.startsWith('.') ? `./${path}` : path
}
