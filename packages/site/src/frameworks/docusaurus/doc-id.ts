import { dropExtension, dropNumber, toInner } from '../../pages/paths.ts'

/** The id that a page has in sidebars when its front matter gives none. */
export function toDocId(page: string, folder: string): string {
  return dropExtension(toInner(page, folder)).split('/').map(dropNumber).join('/')
}
