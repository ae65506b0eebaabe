import { SUGGESTED_PROMPTS } from '@corrigenda/contracts'
import type { ModelScript } from '../messages-api/model-script.ts'
import { findPrompt, readFacts } from './find-prompt.ts'
import { withFinish } from './finish-plan.ts'
import type { Ending } from './plan/plan.ts'
import { disclosure, toList } from './plan/words.ts'
import { replayPlan } from './replay-plan.ts'

/** The rehearsal model's ID in requests. */
export const REHEARSAL_MODEL_ID = 'rehearsal'

/**
 * Creates the rehearsal model. It recognizes what the newest prompt asks for by its words and does it
 * with the product's tools and fixed rules. No AI is involved, and every response is labeled
 * accordingly. See GRAMMAR.md.
 * @param options.paceMs delay before each block in milliseconds, so that users can follow the
 *   output (default: 0)
 */
export function buildRehearsalModel(options: { paceMs?: number } = {}): ModelScript {
  const { paceMs = 0 } = options
  return (request) => {
    const { match, position } = findPrompt(request)
    const plan = withFinish(
      match ? match.plan({ ...readFacts(request), year: new Date().getUTCFullYear() }) : explanation,
    )
    const step = replayPlan(plan, request.messages.slice(position))
    const text = step?.say ?? `There is nothing to add. ${disclosure}`
    const calls = (step?.calls ?? []).map((call) => ({ type: 'tool_use' as const, name: call.tool, input: call.input }))
    return { content: [{ type: 'text', text }, ...calls], paceMs }
  }
}

const explanation: Ending = {
  outcome: 'impossible',
  reason: `The rehearsal model is scripted and does not understand this prompt. A real model does: set ANTHROPIC_API_KEY and start the service again.\n\nThe rehearsal model can do these, among others:\n\n${toList(SUGGESTED_PROMPTS.map(({ prompt }) => prompt))}`,
}
