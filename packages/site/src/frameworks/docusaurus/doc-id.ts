import { dropExtension, dropNumber, toInner } from '../../pages/paths.ts'
import type { ContentFolder } from '../site.ts'

/** Returns a page's default id, which applies if its front matter does not define one. */
export function toDocId(
  page: string,
  { folder, keepsNumbers }: Pick<ContentFolder, 'folder' | 'keepsNumbers'>,
): string {
  const parts = dropExtension(toInner(page, folder)).split('/')
  return (keepsNumbers ? parts : parts.map(dropNumber)).join('/')
}
