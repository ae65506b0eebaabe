import { callTool, GiveUp, type Plan, toReason } from './plan.ts'

export interface Hit {
  path: string
  line: number
  text: string
}

export interface SearchInput {
  query: string
  glob?: string | undefined
  ignoreCase?: boolean
  /** Default: literal. Regular expressions have the syntax of RE2. */
  mode?: 'literal' | 'regex'
  /** What is searched for, in words. Default: the query. */
  label?: string
  /** Name of a source. Default: the documentation repository. */
  source?: string
}

const maxPages = 10

/** Returns every line that contains the query literally. Follows up to ten pages of results. */
export function* searchText({ query, glob, ignoreCase, source, mode = 'literal', label }: SearchInput): Plan<Hit[]> {
  const hits: Hit[] = []
  let offset = 0
  for (let page = 0; page < maxPages; page += 1) {
    const more = offset > 0 ? `, from hit ${offset + 1}` : ''
    const what = label ?? (query.includes('"') ? query : `"${query}"`)
    const where = source ? ` in the source ${source}` : glob ? ` in ${glob}` : ''
    const result = yield* callTool(`Step: searching for ${what}${where}${more}.`, 'search', {
      query,
      mode,
      output: 'lines',
      ...(ignoreCase ? { ignore_case: true } : {}),
      ...(glob ? { glob } : {}),
      ...(source ? { source } : {}),
      ...(offset > 0 ? { offset } : {}),
    })
    if (result.isError) throw new GiveUp(`The search failed: ${toReason(result)}`)
    hits.push(...readHits(result.text))
    const next = readNextOffset(result.text)
    if (next === null || next <= offset) return hits
    offset = next
  }
  throw new GiveUp(`"${query}" occurs in more lines than one job can change. Narrow the search with: in GLOB`)
}

/** Parses rows `path:line: text`. Rows below "No matches" are suggestions, not hits. */
export function readHits(text: string): Hit[] {
  if (text.startsWith('No matches')) return []
  return text.split('\n').flatMap((row) => {
    const [, path, line, rest] = /^(.+?):(\d+):(?: (.*))?$/.exec(row) ?? []
    return path && line ? [{ path, line: Number(line), text: rest ?? '' }] : []
  })
}

/**
 * Returns N from `offset=N` in a note about more results, or null if the output contains no such
 * note. Result rows are skipped.
 */
function readNextOffset(text: string): number | null {
  for (const row of text.split('\n')) {
    if (readHits(row).length > 0) continue
    const offset = /\boffset\W{0,3}(\d+)/.exec(row)?.[1]
    if (offset) return Number(offset)
  }
  return null
}
