import { hasWord, type Request } from '../meaning/request.ts'
import { correctMistakes } from '../plan/correct-mistakes.ts'
import { findScope } from '../plan/find-scope.ts'
import { fixLines, type LineFix } from '../plan/fix-lines.ts'
import type { Ending, Plan } from '../plan/plan.ts'
import { runCheck } from '../plan/run-check.ts'
import { searchText } from '../plan/search-text.ts'
import { viewFiles } from '../plan/view-files.ts'
import { plural, toBody, toList } from '../plan/words.ts'
import { fixBrokenLinks } from '../rules/fix-links.ts'
import type { Reader } from './reader.ts'

const TYPO =
  'typo typos misspelling misspelled misspelt mispelling spellcheck proofread orthography grammar grammatical typographical'

/** Spelling mistakes on all pages, or on the pages that the request names. */
export const readTypos: Reader = (request) => {
  const isSpelling =
    hasWord(request, TYPO) || (hasWord(request, 'spelling spell spelled') && !hasWord(request, 'american british'))
  const isRepeated = hasWord(request, 'duplicate double doubled repeated') && hasWord(request, 'word')
  if (!isSpelling && !isRepeated) return null
  const scope = findScopePhrase(request)
  return function* () {
    const where = yield* findScope(scope)
    if ('question' in where) return { outcome: 'needs_input', reason: where.question }
    return yield* correctMistakes(where)
  }
}

/** Returns the words after `in` or `on`, or the page that `proofread` names. */
function findScopePhrase({ text }: Request): string | null {
  const [, named] =
    /\b(?:in|on|from|of|across|throughout|within|inside)\s+((?:the |our |all )?[^.,;:!?(\n]+)/i.exec(text) ?? []
  if (named) return named.replace(/^(?:all|any|of|the typos? (?:in|on))\s+/i, '').trim()
  const [, object] = /\b(?:proof-?read|spell-?check)\s+([^.,;:!?\n]+)/i.exec(text) ?? []
  if (object && !/\b(?:typos?|spelling|errors?|mistakes?)\b/i.test(object)) return object
  const [, before] = /\bthe ([\w/ -]+?) (?:page|guide)(?:'s)?\b/i.exec(text) ?? []
  return before && !/\b(?:typos?|spelling|errors?|mistakes?|broken)\b/i.test(before) ? `${before} page` : null
}

/** Links to pages that do not exist. */
export const readLinks: Reader = (request) => {
  const { text } = request
  const isLink = hasWord(request, 'link hyperlink url') || /\bcross-?references?\b|\b404s?\b/i.test(text)
  const isBroken =
    hasWord(request, 'broken dead stale invalid wrong rotten missing dangling incorrect outdated faulty defective') ||
    /\b404s?\b|\bshould (?:be|go|link|point)\b|\b(?:do(?:es)?n'?t|not) (?:work|exist)|\bnot working|\bnowhere|\bgo(?:es)? nowhere/i.test(
      text,
    ) ||
    hasWord(request, 'fix repair check verify validate correct')
  return isLink && isBroken && !/\badd\b|\binsert\b/i.test(text) ? fixBrokenLinks : null
}

/** The year in copyright notices. */
export const readCopyright: Reader = (request) => {
  const { text } = request
  if (
    !/\bcopyright|©|\blicen[cs]e year|\bfooter year/i.test(text) ||
    !/\byear|\b20\d\d\b|\bupdate|\bdates?\b|\bbump/i.test(text)
  )
    return null
  const asked = text.match(/\b20\d\d\b/g)?.at(-1)
  return ({ year }) => updateCopyright(Number(asked ?? year))
}

const NOTICE = /(copyright|©|\(c\))([^\n]{0,20}?)\b(20\d\d)(?:(\s*[-–]\s*)(20\d\d))?/gi

function* updateCopyright(year: number): Plan<Ending> {
  const query = '(copyright|©|\\(c\\)).{0,20}20[0-9][0-9]'
  const hits = yield* searchText({ query, mode: 'regex', ignoreCase: true, label: 'copyright notices' })
  const files = (yield* viewFiles([...new Set(hits.map(({ path }) => path))])).filter((file) => file !== null)
  const fixes: LineFix[] = []
  for (const { path, line } of hits) {
    const text = files.find((file) => file.path === path)?.lines[line - 1] ?? ''
    const newText = text.replace(NOTICE, (_, mark, gap, first, dash, last) =>
      last ? `${mark}${gap}${first}${dash}${year}` : `${mark}${gap}${year}`,
    )
    if (newText !== text) fixes.push({ path, line, newText })
  }
  if (hits.length === 0) return { outcome: 'no_change', reason: 'No file contains a copyright notice with a year.' }
  if (fixes.length === 0)
    return { outcome: 'no_change', reason: `Every copyright notice has the year ${year} already.` }
  const report = yield* fixLines('Step: changing the year.', files, fixes)
  const checked = yield* runCheck()
  const rows = toList(report.done.map(({ path }) => `\`${path}\``))
  if (report.done.length === 0)
    return { outcome: 'impossible', reason: `The edit was rejected: ${report.failed[0]?.reason}` }
  const body = toBody([`Changed the year to ${year} in ${plural(report.done.length, 'notice')}:`, rows, checked])
  return { outcome: 'changed', title: `Update the copyright year to ${year}`, body }
}
