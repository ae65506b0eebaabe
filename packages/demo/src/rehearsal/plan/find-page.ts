import { isSameStem, stem } from '../meaning/stem.ts'
import { listPages, type PageInfo } from './list-pages.ts'
import { cleanPath, pageCandidates, toSlug } from './page-path.ts'
import type { Plan } from './plan.ts'
import { toList } from './words.ts'

/** The page that a phrase names, or a question about it. */
export type FoundPage = { page: PageInfo } | { question: string }

const FILLERS = new Set(
  'the a an our this that page file document doc documentation article guide tutorial section reference topic about on of for in at to called named titled and or mdx md'
    .split(' ')
    .map(stem),
)
const START =
  /^(?:(?:the|our|docs?|documentation|site)\s+)*(?:start|home|landing|front|main|first|welcome|index|intro)(?:\s*page)?$|^homepage$/i
const FOLDER_HINTS: readonly [RegExp, RegExp][] = [
  [/\bguides?\b/i, /^guides?\//],
  [/\b(?:cli|commands?|command.line)\b/i, /^(?:cli|commands?)\//],
  [/\b(?:api|endpoints?|http|events?)\b/i, /^api\//],
  [/\b(?:sdk|client|library)\b/i, /^sdk\//],
]

/** Splits a phrase into the stems of its telling words. */
export function toTellingStems(phrase: string): string[] {
  const words = phrase.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map(stem).filter((word) => !FILLERS.has(word))
}

/** Finds the page that a phrase names by path, by file name or by words of its title. */
export function* findPage(phrase: string): Plan<FoundPage> {
  const pages = yield* listPages()
  const written = pageCandidates(cleanPath(phrase.replace(/\s+(?:page|file|guide|doc)$/i, '')))
  const exact = pages.find(({ path }) => written.includes(path))
  if (exact) return { page: exact }
  if (START.test(phrase.trim())) {
    const first = ['index', 'introduction', 'home', 'README'].flatMap((name) =>
      pages.filter(({ path }) => new RegExp(`^(?:docs/)?${name}\\.mdx?$`).test(path)),
    )[0]
    if (first) return { page: first }
  }
  const ranked = rankPages(pages, phrase)
  const [best, next] = ranked
  if (best && best.recall === 1 && best.score > (next?.score ?? 0)) return { page: best.page }
  const candidates = ranked.filter((one) => one.recall === 1 || ranked[0]?.recall !== 1).slice(0, 5)
  const rows = toList(candidates.map(({ page }) => `\`${page.path}\`: ${page.title}`))
  return {
    question: `Which page do you mean by "${phrase}"?${candidates.length > 0 ? ` These are similar:\n\n${rows}` : ' No page has a similar name.'}`,
  }
}

/** Orders the pages by the words that they share with a phrase. Pages without one are left out. */
export function rankPages(
  pages: readonly PageInfo[],
  phrase: string,
): { page: PageInfo; recall: number; score: number }[] {
  const wanted = [...new Set(toTellingStems(phrase))]
  if (wanted.length === 0) return []
  return pages
    .map((page) => {
      const own = [...new Set([...toTellingStems(toSlug(page.path)), ...toTellingStems(page.title)])]
      const isHint = (word: string) =>
        FOLDER_HINTS.some(([words, folder]) => words.test(word) && folder.test(page.path))
      const shared = wanted.filter((word) => own.some((one) => isSameStem(one, word))).length
      // The word for a folder, such as "command", names each of its pages.
      const recall =
        wanted.filter((word) => isHint(word) || own.some((one) => isSameStem(one, word))).length / wanted.length
      const hint = FOLDER_HINTS.some(([words, folder]) => words.test(phrase) && folder.test(page.path)) ? 0.3 : 0
      return { page, recall, score: shared === 0 ? 0 : recall + shared / own.length / 2 + hint }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
}
