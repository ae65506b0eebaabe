import { posix } from 'node:path'
import { type Plan, Question, searchText } from './plan.ts'

export interface PageInfo {
  path: string
  /** From the front matter. Default: the file's name. */
  title: string
}

/** True for pages that describe what was true at the time, and for instructions. They are not changed. */
export const isKept = (path: string): boolean =>
  /change-?log|releases?\b|history|what-?s-new|(?:^|\/)(?:\.|(?:AGENTS|CLAUDE|GEMINI|CONTRIBUTING)\.md$)/i.test(path)

/** Returns a page's name in links, which is its path without the extension and `/index`. */
export const toSlug = (path: string): string => path.replace(/\.(mdx|md|markdown)$/i, '').replace(/(^|\/)index$/, '')

export const toName = (path: string): string => posix.basename(toSlug(path))

export function* listPages(): Plan<PageInfo[]> {
  const query = '^(title:|# ).'
  const hits = yield* searchText({ query, mode: 'regex', label: 'the titles of the pages', glob: '**/*.{md,mdx}' })
  const titles = new Map<string, string>()
  for (const { path, text } of hits) {
    const title = text.replace(/^(?:title:|#)\s*/, '').replace(/^["']|["']$/g, '')
    if (!titles.has(path) && !/(?:^|\/)(?:AGENTS|CLAUDE)\.md$/.test(path)) titles.set(path, title)
  }
  return [...titles].map(([path, title]) => ({ path, title }))
}

/**
 * Finds the page that a phrase names by path, by file name or by words of its title.
 * @param toPrompt returns the request with another page, for the choices of the question
 * @param places further choices
 * @throws Question if no page or several pages have the name
 */
export function* findPage(
  phrase: string,
  toPrompt: (path: string) => string,
  places: readonly string[] = [],
): Plan<PageInfo> {
  const pages = yield* listPages()
  const written = toSlug(phrase.replace(/^\/+|[/"]+$|"/g, ''))
  const exact = pages.find(({ path }) => toSlug(path) === written || path === written)
  if (exact) return exact
  if (START.test(phrase)) {
    const names = ['index', 'introduction', 'home', 'readme']
    const start = names
      .map((name) => pages.find(({ path }) => new RegExp(`^(?:docs/)?${name}\\.mdx?$`, 'i').test(path)))
      .find(Boolean)
    if (start) return start
  }
  const ranked = rankPages(pages, phrase)
  const [best, next] = ranked
  if (best && best.score > 0.8 && best.score > (next?.score ?? 0) + 0.02) return best.page
  const similar = ranked.slice(0, 3).map(({ page }) => page.path)
  const known = similar.length === 0 ? 'No page has a similar name.' : 'These are similar:'
  throw new Question(`Which page do you mean by "${phrase}"? ${known}`, [...similar, ...places].map(toPrompt))
}

const START =
  /^(?:(?:the|our|docs?|documentation|site)\s+)*(?:start|home|landing|front|main|first|index|intro)(?:\s*page)?$|^homepage$/i
const FILLERS =
  /\b(?:the|a|an|our|this|that|pages?|files?|docs?|documentation|commands?|guides?|tutorial|section|about|on|for|of|in|to|and|mdx?)\b/gi

/** Orders the pages by the share of a phrase's words that their path and title contain. */
function rankPages(pages: readonly PageInfo[], phrase: string): { page: PageInfo; score: number }[] {
  const wanted = toWords(phrase.replace(FILLERS, ' '))
  const isGuide = /\bguides?\b/i.test(phrase)
  return pages
    .map((page) => {
      const own = [...new Set([...toWords(toSlug(page.path)), ...toWords(page.title)])]
      const scores = wanted.map((word) => Math.max(...own.map((one) => toLikeness(one, word))))
      const score = scores.reduce((sum, one) => sum + one, 0) / wanted.length
      // A page with few other words, or in the folder of guides, fits better.
      return {
        page,
        score: score > 0 ? score - own.length / 100 + (isGuide && /^guides?\//.test(page.path) ? 0.1 : 0) : 0,
      }
    })
    .filter(({ score }) => score > 0.3)
    .sort((a, b) => b.score - a.score)
}

const toWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Words with the same beginning are similar, such as "retry" and "retries". */
function toLikeness(a: string, b: string): number {
  if (a === b) return 1
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  const start = short.slice(0, Math.max(3, Math.min(5, short.length - 1)))
  return short.length > 2 && long.startsWith(start) ? 0.9 : 0
}

/**
 * Finds the files that a phrase names, such as `the guides` or `the start page`, as a glob. Returns
 * null for all files.
 * @param toPrompt returns the request with another page, for the choices of the question
 * @throws Question if a part of the phrase names no page
 */
export function* findScope(phrase: string | null, toPrompt: (path: string) => string): Plan<string | null> {
  const text = phrase?.replace(/"/g, '').trim() ?? ''
  if (EVERYTHING.test(text)) return null
  if (/[*{]/.test(text)) return text
  const folders = new Set((yield* listPages()).flatMap(({ path }) => path.split('/').slice(0, -1).slice(0, 1)))
  const globs: string[] = []
  for (const part of text.split(/\s*(?:,|\band\b|&)\s*/i).filter(Boolean)) {
    const folder = [...folders].find((one) =>
      new RegExp(`^(?:all |the |our )*${one}s?/?(?: pages| folder| section)?$`, 'i').test(part),
    )
    globs.push(folder ? `${folder}/**` : (yield* findPage(part, toPrompt, ['all pages'])).path)
  }
  return globs.length > 1 ? `{${globs.join(',')}}` : (globs[0] ?? null)
}

const EVERYTHING =
  /^(?:(?:all|every|each|any|the|our|whole|entire|of|in|across)\s*)*(?:docs?|documentation|sites?|repo|repository|pages?|files?|everything|everywhere|it|text)?(?: pages| site)?$/i
