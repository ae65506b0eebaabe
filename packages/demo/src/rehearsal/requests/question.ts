import { cleanPhrase, hasWord, type Request } from '../meaning/request.ts'
import { findMistakes } from '../plan/correct-mistakes.ts'
import { findPage, rankPages } from '../plan/find-page.ts'
import { listPages, type PageInfo } from '../plan/list-pages.ts'
import { listGroups } from '../plan/navigation-groups.ts'
import { toSlug } from '../plan/page-path.ts'
import { callTool, type Ending, type Plan } from '../plan/plan.ts'
import { readLinkProblems } from '../plan/read-link-problems.ts'
import { listMissingFlags } from '../plan/refresh-flags.ts'
import type { JobFacts } from '../plan/rule.ts'
import { searchText } from '../plan/search-text.ts'
import { viewFile } from '../plan/view-files.ts'
import { plural, toList } from '../plan/words.ts'
import type { Reader } from './reader.ts'

/** Questions, which are answered without a change. */
export const readQuestion: Reader = (request) => {
  const { text } = request
  const isTold =
    /^(?:summari[sz]e|list|describe what|tell (?:me|us)|show (?:me|us)|explain (?:what|how|why|where))\b/i.test(text) &&
    !/\b(?:page|file|section) (?:about|on|for)\b|\badd\b|\bsentences?\b|\bparagraphs?\b|\bin the\b.*\bpage\b/i.test(
      text,
    )
  if (!request.isQuestion && !isTold) return null
  const isFollowedByOrder =
    /[.?!]\s+(?:please |and |then )?(?:update|fix|document|add|change|correct|remove|rename|replace|write)\b/i.test(
      text,
    )
  if (/^should\b/i.test(text) || isFollowedByOrder) return null
  return (job) => answer(request, job)
}

const ASKING =
  /\b(?:what|which|where|why|who|when|how|is|are|does|do|did|can|could|should|i|you|we|they|it|explain|describe|summari[sz]e|show|tell|list|me|us|work|works|use|used|using|there|have|has|get|set|up|tidewater)\b/gi

function* answer(request: Request, { sources }: JobFacts): Plan<Ending> {
  const { text } = request
  if (hasWord(request, 'link') && hasWord(request, 'broken dead invalid wrong stale')) return yield* answerLinks()
  if (hasWord(request, 'typo misspelling spelling')) return yield* answerTypos()
  if (hasWord(request, 'flag option') && hasWord(request, 'missing undocumented')) return yield* answerFlags(sources)
  const flag = /(?<![\w-])--[a-z][a-z0-9-]*/i.exec(text)?.[0]
  const mentioned =
    /\b(?:which|what|where|how many)\b.*?\b(?:mentions?|contains?|uses?|mentioned|used|occurs?|appears?|talks? about|refers? to|covers?)\b:?\s*(.*)$/i.exec(
      text,
    )
  const quoted = /"([^"\n]+)"/.exec(text)?.[1]
  const subject =
    quoted ??
    flag ??
    (mentioned?.[1] ||
      /\bwhere (?:is|are|do we (?:use|mention|document)) (.+?)(?: (?:mentioned|used|documented|described|explained|defined))?[?.!]*$/i.exec(
        text,
      )?.[1])
  const isAbout =
    /\b(?:repo(?:sitory)?|docs|documentation|project|site|product)\b/i.test(text) && !(mentioned && quoted) && !flag
  if (subject && !isAbout) {
    const hits = yield* searchText({ query: cleanPhrase(subject), ignoreCase: true, glob: '**/*.{md,mdx}' })
    const paths = [...new Set(hits.map(({ path }) => path))]
    if (paths.length > 0)
      return tell(
        `${paths.length === 1 ? '1 page mentions' : `${paths.length} pages mention`} "${cleanPhrase(subject)}":\n\n${toList(paths.map((path) => `\`${path}\``))}`,
      )
    if (flag) return tell(`No page mentions "${flag}".`)
  }
  const pages = yield* listPages()
  if (isAbout || /\bhow many pages\b|\b(?:list|show)\b.*\bpages\b|\bwhat (?:is|does|do) (?:this|it|you)\b/i.test(text))
    return yield* describeSite(pages)
  const [best] = rankPages(pages, text.replace(ASKING, ' '))
  const page = best?.page
  if (!page) return yield* describeSite(pages)
  return tell(`\`${page.path}\` ("${page.title}") is about this. ${yield* readDescription(page)}`)
}

const tell = (reason: string): Ending => ({ outcome: 'no_change', reason })

function* readDescription({ path }: PageInfo): Plan<string> {
  const file = yield* viewFile(path)
  const description = file?.lines.map((line) => /^description: ["']?(.+?)["']?$/.exec(line)?.[1]).find(Boolean)
  const start = (file?.lines[0] === '---' ? file.lines.indexOf('---', 1) : -1) + 1
  const paragraph = file?.lines
    .slice(start)
    .join('\n')
    .split(/\n{2,}/)
    .find((part) => /^[\p{L}`]/u.test(part.trim()))
  return [description, paragraph?.replace(/\s+/g, ' ').trim()].filter(Boolean).join('\n\n')
}

function* describeSite(pages: readonly PageInfo[]): Plan<Ending> {
  const start = yield* findPage('start page')
  const text = 'page' in start ? yield* readDescription(start.page) : ''
  const groups = yield* listGroups()
  const listed =
    groups.length > 0
      ? `The navigation has these groups:\n\n${toList(groups)}`
      : toList(pages.map(({ path, title }) => `\`${toSlug(path)}\`: ${title}`))
  return tell(`${text}\n\nThe documentation has ${plural(pages.length, 'page')}. ${listed}`.trim())
}

function* answerLinks(): Plan<Ending> {
  const checked = yield* callTool('Step: checking all pages for broken links.', 'check_docs', { scope: 'all' })
  const rows = readLinkProblems(checked.text).map(({ path, target }) => `\`${path}\`: ${target}`)
  if (rows.length === 0) return tell('check_docs reports no broken links.')
  return tell(
    `${plural(rows.length, 'link')} ${rows.length === 1 ? 'is' : 'are'} broken:\n\n${toList(rows)}\n\nThe prompt "fix broken links" corrects them.`,
  )
}

function* answerTypos(): Plan<Ending> {
  const { mistakes } = yield* findMistakes(null)
  if (mistakes.length === 0) return tell('No common misspelling was found.')
  const rows = mistakes.map(({ path, line, corrections }) => `\`${path}\`, line ${line}: ${corrections.join(', ')}`)
  return tell(
    `${plural(mistakes.length, 'line')} may be wrong:\n\n${toList(rows)}\n\nThe prompt "fix all typos" corrects them.`,
  )
}

function* answerFlags(sources: readonly string[]): Plan<Ending> {
  if (sources.length === 0)
    return tell(
      'The project has no source with the code, so the flags cannot be compared. Add one in the project settings.',
    )
  const missing = yield* listMissingFlags(sources)
  if (missing.length === 0) return tell('The tables of flags contain every flag that the code defines.')
  const rows = missing.map(({ flag, command }) => `\`--${flag}\` of ${command}`)
  return tell(`The tables of flags lack ${plural(rows.length, 'flag')} of the code:\n\n${toList(rows)}`)
}
