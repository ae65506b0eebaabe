import { toFolder, toRelative } from '../pages/paths.ts'
import type { EntryPlace } from './framework.ts'

/** An entry that is a path relative to the file it is written in, with `./` where `like` has it. */
export function toRelativeEntry({ like, page }: Pick<EntryPlace, 'like' | 'page'>): string {
  const path = toRelative(toFolder(like.file), page)
  return like.page.startsWith('./') && !path.startsWith('.') ? `./${path}` : path
}
