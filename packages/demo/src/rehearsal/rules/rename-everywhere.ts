import { isKept } from '../plan/guarded-paths.ts'
import type { Plan } from '../plan/plan.ts'
import { pattern, quoted, type Rule } from '../plan/rule.ts'
import { searchText } from '../plan/search-text.ts'
import { plural, quote } from '../plan/words.ts'
import { replaceAll } from './replace-text.ts'

const sentence = pattern(`\\brename ${quoted} (?:to|into|as) ${quoted} everywhere\\b`)

export const renameEverywhere: Rule = {
  usage: 'rename "X" to "Y" everywhere',
  does: 'Replaces X in all files. Then searches for other spellings of X (upper and lower case) and reports\nthem without changing them.',
  example: 'rename "development server" to "local server" everywhere',
  match(prompt) {
    const found = sentence.exec(prompt)
    const [, from, to] = found ?? []
    if (!found || from === undefined || to === undefined) return null
    const title = `Rename ${quote(from)} to ${quote(to)}`
    return {
      position: found.index,
      plan: () => replaceAll(from, to, undefined, title, () => reportSpellings(from, to)),
    }
  },
}

export function* reportSpellings(from: string, to: string): Plan<string | null> {
  const hits = yield* searchText({ query: from, ignoreCase: true })
  const others = hits.filter(
    ({ path, text }) =>
      !isKept(path) && text.replaceAll(to, '').replaceAll(from, '').toLowerCase().includes(from.toLowerCase()),
  )
  if (others.length === 0) return null
  const files = new Set(others.map((hit) => hit.path)).size
  return `Other spellings of ${quote(from)} occur in ${plural(others.length, 'line')} of ${plural(files, 'file')} and were not changed.`
}
