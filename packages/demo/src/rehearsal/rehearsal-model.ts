import type { ModelScript } from '../messages-api/model-script.ts'
import { findPrompt, readFacts } from './find-prompt.ts'
import { withFinish } from './finish-plan.ts'
import { NOT_UNDERSTOOD } from './plan/not-understood.ts'
import { disclosure } from './plan/words.ts'
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
      match ? match.plan({ ...readFacts(request), year: new Date().getUTCFullYear() }) : NOT_UNDERSTOOD,
    )
    const step = replayPlan(plan, request.messages.slice(position))
    const text = step?.say ?? `There is nothing to add. ${disclosure}`
    const calls = (step?.calls ?? []).map((call) => ({ type: 'tool_use' as const, name: call.tool, input: call.input }))
    return { content: [{ type: 'text', text }, ...calls], paceMs }
  }
}
