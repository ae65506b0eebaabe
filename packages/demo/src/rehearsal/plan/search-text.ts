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
}

const maxPages = 10

/** Every line that contains the query, literally. Pages of results are followed, up to ten. */
export function* searchText({ query, glob, ignoreCase }: SearchInput): Plan<Hit[]> {
  const hits: Hit[] = []
  let offset = 0
  for (let page = 0; page < maxPages; page += 1) {
    const more = offset > 0 ? `, from hit ${offset + 1}` : ''
    const result = yield* callTool(`Step: searching for "${query}"${glob ? ` in ${glob}` : ''}${more}.`, 'search', {
      query,
      mode: 'literal',
      output: 'lines',
      ...(ignoreCase ? { ignore_case: true } : {}),
      ...(glob ? { glob } : {}),
      ...(offset > 0 ? { offset } : {}),
    })
    if (result.isError) throw new GiveUp(`The search failed: ${toReason(result)}`)
    hits.push(...readHits(result.text))
    const next = readNextOffset(result.text)
    if (next === null || next <= offset) return hits
    offset = next
  }
  throw new GiveUp(`"${query}" stands in more lines than one job can change. Narrow it with: in GLOB`)
}

/** Rows `path:line: text`. What stands below "No matches" are suggestions, not hits. */
export function readHits(text: string): Hit[] {
  if (text.startsWith('No matches')) return []
  return text.split('\n').flatMap((row) => {
    const [, path, line, rest] = /^(.+?):(\d+):(?: (.*))?$/.exec(row) ?? []
    return path && line ? [{ path, line: Number(line), text: rest ?? '' }] : []
  })
}

/** The `offset=N` of a note that there is more, or null. Notes are not rows. */
function readNextOffset(text: string): number | null {
  for (const row of text.split('\n')) {
    if (readHits(row).length > 0) continue
    const offset = /\boffset\W{0,3}(\d+)/.exec(row)?.[1]
    if (offset) return Number(offset)
  }
  return null
}
