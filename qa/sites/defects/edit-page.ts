import type { DocPage } from '../model/read-page.ts'
import type { FileEdit } from './defect.ts'

/** Returns the edit that replaces a part of a page. */
export function editPage(
  { path, text }: Pick<DocPage, 'path' | 'text'>,
  start: number,
  end: number,
  words: string,
): FileEdit[] {
  return [{ path, text: text.slice(0, start) + words + text.slice(end) }]
}
