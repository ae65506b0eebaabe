import { posix } from 'node:path'
import { isInstruction } from './guarded-paths.ts'
import { toSlug } from './page-path.ts'
import { callTool, type Plan } from './plan.ts'
import { searchText } from './search-text.ts'

/** A page and its title. Without front matter, the title is the file's name. */
export interface PageInfo {
  path: string
  title: string
}

/** Lists the pages of the documentation. */
export function* listPages(): Plan<PageInfo[]> {
  const hits = yield* searchText({ query: 'title:', glob: '**/*.{md,mdx}' })
  const titles = new Map<string, string>()
  for (const { path, line, text } of hits) {
    const title = /^title:\s*(.+?)\s*$/.exec(text)?.[1]
    if (title && line < 12 && !titles.has(path)) titles.set(path, title.replace(/^["']|["']$/g, ''))
  }
  if (titles.size > 0) return [...titles].map(([path, title]) => ({ path, title }))
  const listed = yield* callTool('Step: listing the pages.', 'list_files', { glob: '**/*.{md,mdx}' })
  const paths = listed.isError ? [] : (listed.text.match(/[^\s`"'|]+\.mdx?(?![\w.])/g) ?? [])
  return [...new Set(paths)]
    .filter((path) => !isInstruction(path))
    .map((path) => ({ path, title: posix.basename(toSlug(path)) || path }))
}
