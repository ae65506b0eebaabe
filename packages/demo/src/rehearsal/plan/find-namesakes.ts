import { posix } from 'node:path'
import { listPagePaths } from './list-page-paths.ts'
import { callTools, type Plan } from './plan.ts'
import type { LinkProblem } from './read-link-problems.ts'
import { plural } from './words.ts'

/**
 * Finds, for each broken target, the page with the same file name. The map omits a problem if zero
 * or several pages have that name.
 */
export function* findNamesakes(problems: readonly LinkProblem[]): Plan<Map<LinkProblem, string>> {
  const pages = new Map<LinkProblem, string>()
  const names = [...new Set(problems.map((problem) => nameOf(problem.target)))].filter((name) => /^[\w.-]+$/.test(name))
  const results = yield* callTools(
    `Step: searching for ${plural(names.length, 'page')} by name.`,
    names.map((name) => ({ tool: 'list_files', input: { glob: `**/${name}.{md,mdx}` } })),
  )
  for (const problem of problems) {
    const name = nameOf(problem.target)
    const result = results[names.indexOf(name)]
    const exact = result && !result.isError ? listPagePaths(result.text, name) : []
    if (exact.length === 1 && exact[0]) pages.set(problem, exact[0])
  }
  return pages
}

function nameOf(target: string): string {
  const path = target.replace(/[#?].*$/, '').replace(/\/$/, '')
  return posix.basename(path).replace(/\.mdx?$/, '')
}
