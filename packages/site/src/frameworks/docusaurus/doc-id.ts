import { dropExtension, dropNumber, toInner } from '../../pages/paths.ts'

/** Returns a page's default id, which applies if its front matter does not define one. */
export function toDocId(page: string, folder: string): string {
  return dropExtension(toInner(page, folder)).split('/').map(dropNumber).join('/')
}
