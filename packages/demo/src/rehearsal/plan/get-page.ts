import { rankPages } from './find-page.ts'
import { listPages } from './list-pages.ts'
import { cleanPath, pageCandidates } from './page-path.ts'
import { type Plan, Question } from './plan.ts'
import { type ViewedFile, viewFile } from './view-files.ts'
import { toList } from './words.ts'

/**
 * Returns the page at a path from a prompt, which may omit the extension.
 * @throws Question that names similar pages if there is no such page
 */
export function* getPage(written: string): Plan<ViewedFile> {
  const path = cleanPath(written)
  const candidates = pageCandidates(path)
  for (const candidate of candidates) {
    const file = yield* viewFile(candidate)
    if (file) return file
  }
  const similar = rankPages(yield* listPages(), path).slice(0, 5)
  const rows = toList(similar.map(({ page }) => `\`${page.path}\`: ${page.title}`))
  const hint = similar.length === 0 ? '' : ` These are similar:\n\n${rows}`
  throw new Question(`There is no page ${candidates.join(' or ')}. Which page do you mean?${hint}`)
}
