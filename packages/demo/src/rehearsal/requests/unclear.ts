import { SUGGESTED_PROMPTS } from '@corrigenda/contracts'
import { hasWord } from '../meaning/request.ts'
import { rankPages } from '../plan/find-page.ts'
import { listPages } from '../plan/list-pages.ts'
import type { Ending, Plan } from '../plan/plan.ts'
import { toList } from '../plan/words.ts'
import { type Reader, WORDS } from './reader.ts'

/** Words that make a vague verb into a request that a real model can follow. */
const SPECIFIC =
  /\b(?:so that|because|tone|style|voice|friendl\w+|formal\w*|concise|beginners?|developers?|paragraphs?|diagram|table|screenshots?|images?|colou?rs?|logo|examples?|poem|story|seo|passive|grammar|sidebar|navigation|order|mobile|dark|performance)\b/i

/** Requests that name no change. The answer is a question. */
export const readUnclear: Reader = (request) => {
  const { text, words } = request
  const isVague = hasWord(request, WORDS.vague) && words.length <= 9 && !SPECIFIC.test(text)
  const isTiny = words.length <= 3 && !/\b(?:write|translate|generate)\b/i.test(text)
  return isVague || isTiny ? () => ask(text) : null
}

function* ask(text: string): Plan<Ending> {
  const [best] = rankPages(
    yield* listPages(),
    text.replace(/\b(?:improve|better|update|change|fix|edit|make|the|polish|it)\b/gi, ''),
  )
  const where = best && best.recall >= 0.5 ? ` on \`${best.page.path}\`` : ''
  return {
    outcome: 'needs_input',
    reason: `What should change${where}? Say which text is wrong or missing, or what a reader should find. For example:\n\n${toList(SUGGESTED_PROMPTS.slice(0, 3).map(({ prompt }) => prompt))}`,
  }
}
