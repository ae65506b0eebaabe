import { posix } from 'node:path'
import { hasPageExtension, toSlug } from './page-path.ts'
import { GiveUp, type Plan } from './plan.ts'
import { searchText } from './search-text.ts'
import { type ViewedFile, viewFiles } from './view-files.ts'

const maxFiles = 100
const wholeRow = 200

/**
 * Finds other pages that may link to the page: those that contain the last segment of its slug at a
 * position where a link could end.
 */
export function* findInbound(page: string): Plan<ViewedFile[]> {
  const name = posix.basename(toSlug(page))
  if (name === '') return []
  const hits = yield* searchText({ query: name })
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const linkEnd = new RegExp(`(?:[(/"'<]|:\\s*)${escaped}(?:\\.mdx?|/index|/)?(?:[)#?"'>\\s]|$)`)
  const paths = new Set<string>()
  for (const hit of hits) {
    if (hit.path === page || !hasPageExtension(hit.path)) continue
    if (hit.text.length >= wholeRow || linkEnd.test(hit.text)) paths.add(hit.path)
  }
  if (paths.size > maxFiles)
    throw new GiveUp(`More than ${maxFiles} pages may link to ${page}, which is too many for one job.`)
  const files = paths.size > 0 ? yield* viewFiles([...paths]) : []
  return files.filter((file) => file !== null)
}
