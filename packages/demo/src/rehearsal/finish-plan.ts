import {
  type CallResult,
  callTool,
  type Ending,
  GiveUp,
  type Plan,
  Question,
  type Step,
  toReason,
} from './plan/plan.ts'
import { disclosure, toBody, toTitle } from './plan/words.ts'

/**
 * Maximum number of turns in a plan. Together with the `finish` calls, it stays below the default
 * limit of forty turns per job.
 */
export const maxTurns = 36

/**
 * Runs the work, then calls `finish` and confirms the result. If the result is rejected, retries
 * once with the obvious alternative outcome.
 */
export function* withFinish(work: Plan<Ending> | Ending): Plan<void> {
  const ending = 'outcome' in work ? work : yield* endWithin(work)
  const result = yield* confirm(ending)
  if (!result.isError) return
  yield* confirm(toOtherEnding(ending, result))
}

/** Returns the ending of a plan. Giving up and exceeding the turn limit are also endings. */
function* endWithin(plan: Plan<Ending>): Plan<Ending> {
  try {
    let next = plan.next()
    for (let turn = 0; !next.done; turn += 1) {
      if (turn >= maxTurns)
        return { outcome: 'impossible', reason: `The rehearsal model stopped after ${maxTurns} turns.` }
      const step: Step = next.value
      next = plan.next(yield step)
    }
    return next.value
  } catch (error) {
    if (error instanceof Question) return { outcome: 'needs_input', reason: error.message }
    if (error instanceof GiveUp) return { outcome: 'impossible', reason: error.message }
    throw error
  }
}

function* confirm(ending: Ending): Plan<CallResult> {
  const input = toFinishInput(ending)
  const first = yield* callTool(`Step: finishing (${ending.outcome}). ${disclosure}`, 'finish', input)
  if (first.isError) return first
  return yield* callTool('Step: confirming.', 'finish', input)
}

function toFinishInput(ending: Ending): Record<string, unknown> {
  if (ending.outcome === 'changed') return { ...ending }
  return { outcome: ending.outcome, reason: `${ending.reason}\n\n${disclosure}` }
}

function toOtherEnding(ending: Ending, refusal: CallResult): Ending {
  const reason = toReason(refusal)
  if (ending.outcome === 'changed' && /\b(empty|nothing|no) (diff|changes?|has changed|was changed)/i.test(reason)) {
    return { outcome: 'no_change', reason: 'The repository already contains the requested change.' }
  }
  if (ending.outcome === 'no_change') {
    const body = toBody(['The change was made in an earlier conversation.', ending.reason])
    return { outcome: 'changed', title: toTitle('Apply the requested change'), body }
  }
  return { outcome: 'impossible', reason: `The result was rejected: ${refusal.text.split('\n').slice(0, 4).join(' ')}` }
}
