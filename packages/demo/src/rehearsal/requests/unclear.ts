import { SUGGESTED_PROMPTS } from '@corrigenda/contracts'
import { hasWord } from '../meaning/request.ts'
import { stem } from '../meaning/stem.ts'
import { rankPages } from '../plan/find-page.ts'
import { listPages } from '../plan/list-pages.ts'
import { NOT_UNDERSTOOD } from '../plan/not-understood.ts'
import type { Ending } from '../plan/plan.ts'
import { toList } from '../plan/words.ts'
import { type Reader, WORDS } from './reader.ts'

/** Words that name no change: verbs, articles, prepositions, and words for the documentation. */
const EMPTY = new Set(
  `${WORDS.vague} ${WORDS.page} make it this that these things stuff something everything all whole entire the a an our my your some any to of on in for and more much bit little please up out doc docs documentation site section content text good great well look read reads clearer is are was be wrong bad incorrect can could should you we i need needs please here there`
    .split(' ')
    .map(stem),
)

/** Requests that name no change, or only a page. The answer is a question. */
export const readUnclear: Reader = (request) => {
  const { text, words } = request
  const rest = words.filter((word) => !EMPTY.has(stem(word))).join(' ')
  const isTiny = words.length <= 3 && !/\b(?:write|translate|generate)\b/i.test(text)
  const isVague = hasWord(request, WORDS.vague) && words.length <= 9
  if (!isTiny && !isVague && rest !== '') return null
  return function* () {
    const [best] = rest === '' ? [] : rankPages(yield* listPages(), rest)
    // Other words than those of a page describe a change.
    if (best?.recall !== 1 && rest !== '' && !isTiny) return NOT_UNDERSTOOD
    return ask(best)
  }
}

function ask(best: ReturnType<typeof rankPages>[number] | undefined): Ending {
  const where = best ? ` on \`${best.page.path}\`` : ''
  return {
    outcome: 'needs_input',
    reason: `What should change${where}? Say which text is wrong or missing, or what a reader should find. For example:\n\n${toList(SUGGESTED_PROMPTS.slice(0, 3).map(({ prompt }) => prompt))}`,
  }
}
