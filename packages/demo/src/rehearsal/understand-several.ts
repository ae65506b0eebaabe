import type { Ending, Plan } from './plan/plan.ts'
import type { JobFacts, Match } from './plan/rule.ts'
import { disclosure, toBody, toTitle } from './plan/words.ts'

/** Text that must not be divided: quotes, paths with spaces in quotes, and what follows a colon. */
const QUOTED = /"""[\s\S]*?"""|["“”][^"“”\n]*["“”]|`[^`\n]*`|:[\s\S]*/g
const BETWEEN = /\s*(?:[,;]\s*(?:and\s+)?(?:then\s+)?|\s+and\s+(?:then\s+|also\s+)?)/gi
const VERB =
  /^(?:please |also |then )?(?:add|append|change|correct|create|delete|document|drop|fix|move|proofread|put|remove|rename|repair|replace|set|update|write)\b/i

/** Finds the plan for one request. */
export interface Recognized {
  /** Requests of the same kind are one request. */
  readonly kind: unknown
  readonly match: Match
}

/**
 * Recognizes a prompt that asks for several things, such as "Fix the typos and the broken links".
 * Returns null if a part is not recognized on its own, because it may then belong to the part before.
 * @param recognize returns null for a text that is not a request
 */
export function understandSeveral(prompt: string, recognize: (text: string) => Recognized | null): Match | null {
  const parts = divide(prompt)
  if (parts.length < 2) return null
  const found: Recognized[] = []
  let verb = ''
  for (const part of parts) {
    const own = VERB.exec(part)?.[0]
    // "Fix typos and broken links" has one verb.
    const text = own === undefined ? `${verb} ${part}` : part
    verb = own ?? verb
    if (verb === '') return null
    const recognized = recognize(text)
    if (recognized === null) return null
    if (!found.some(({ kind }) => kind === recognized.kind)) found.push(recognized)
  }
  if (found.length < 2) return null
  return { position: 0, plan: (job) => runAll(found, job) }
}

function divide(prompt: string): string[] {
  const masked = prompt.replace(QUOTED, (text) => '_'.repeat(text.length))
  const parts: string[] = []
  let start = 0
  for (const { index, 0: separator } of masked.matchAll(BETWEEN)) {
    parts.push(prompt.slice(start, index))
    start = index + separator.length
  }
  return [...parts, prompt.slice(start)].map((part) => part.trim()).filter((part) => part !== '')
}

function* runAll(found: readonly Recognized[], job: JobFacts): Plan<Ending> {
  const endings: Ending[] = []
  for (const { match } of found) endings.push(yield* match.plan(job))
  const changes = endings.filter((ending) => ending.outcome === 'changed')
  const others = endings.filter((ending) => ending.outcome !== 'changed').map(({ reason }) => reason)
  if (changes.length === 0) {
    const outcome = endings.some((ending) => ending.outcome === 'needs_input') ? 'needs_input' : 'no_change'
    return { outcome, reason: others.join('\n\n') }
  }
  const title = changes.map((change, n) => (n === 0 ? change.title : toLowerStart(change.title))).join(' and ')
  const bodies = changes.map(({ body }) => body.replace(`\n\n${disclosure}`, ''))
  const left = others.length === 0 ? null : `Not changed:\n\n${others.join('\n\n')}`
  const evidence = changes.flatMap((change) => change.evidence ?? [])
  return {
    outcome: 'changed',
    title: toTitle(title),
    body: toBody([...bodies, left]),
    ...(evidence.length > 0 ? { evidence } : {}),
  }
}

const toLowerStart = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)
