import type { ModelError } from '../model/model-error.ts'
import type { AgentInput, StopCode } from './agent-input.ts'
import { describeBudget } from './check-budget.ts'
import { TOO_SMALL } from './describe-stop.ts'

type StepAfterModelError =
  | { readonly kind: 'defer'; readonly afterMs: number }
  | { readonly kind: 'stop'; readonly code: StopCode; readonly message: string }
  | { readonly kind: 'new_conversation'; readonly reason: string }

/**
 * Returns the next step of a run after a failed model call.
 * @param isFresh true if the conversation does not contain a reply yet, so a new conversation would
 *   fail in the same way
 */
export function decideAfterModelError(
  error: ModelError,
  { isFresh, budgets }: { isFresh: boolean } & Pick<AgentInput, 'budgets'>,
): StepAfterModelError {
  const { code, message, retryAfterMs } = error
  // A longer wait would occupy the job's slot, so the run is deferred.
  if (error.retryable && retryAfterMs !== null && retryAfterMs > 0) return { kind: 'defer', afterMs: retryAfterMs }
  switch (code) {
    case 'model_context_exceeded':
    case 'model_prefix_invalid': {
      if (!isFresh) return { kind: 'new_conversation', reason: message }
      const advice = code === 'model_context_exceeded' ? TOO_SMALL : ''
      return { kind: 'stop', code: 'model_bad_request', message: `${message}${advice}` }
    }
    case 'model_deadline':
      return { kind: 'stop', code: 'budget_time', message: describeBudget('budget_time', budgets) }
    case 'model_rate_limited':
    case 'model_stalled':
      return { kind: 'stop', code: 'model_unavailable', message }
    default:
      return { kind: 'stop', code, message }
  }
}
