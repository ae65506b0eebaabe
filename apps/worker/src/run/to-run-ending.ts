import type { AgentResult } from '@corrigenda/agent/loop'
import type { RunEnding } from './run-ending.ts'
import { RunFailure } from './run-failure.ts'

type Finished = Extract<AgentResult, { kind: 'finished' }>
type Stopped = Extract<AgentResult, { kind: 'stopped' }>

/** An agent that changed files. */
export type ChangeResult = Finished & { readonly outcome: 'changed' }

/**
 * How the run ends with the agent's result. A change is returned as it is: it is published next. So
 * is an agent that a limit stopped: the run fails with the changes so far.
 * @throws RunFailure `impossible`
 */
export function toRunEnding(result: AgentResult): RunEnding | ChangeResult | Stopped {
  if (result.kind === 'deferred') {
    const afterMs = Math.max(0, result.retryAt.getTime() - Date.now())
    return { kind: 'later', afterMs, code: 'model_unavailable', message: result.reason }
  }
  if (result.kind === 'stopped') {
    // The calls were retried within the run already. An outage of minutes must not fail the job either.
    if (result.code !== 'model_unavailable') return result
    return { kind: 'later', afterMs: null, code: result.code, message: result.message }
  }
  const { outcome, reason, checks } = result
  switch (outcome) {
    case 'no_change':
      return { kind: 'ended', outcome: { kind: 'no_changes', summary: reason, checks } }
    case 'needs_input':
      return { kind: 'ended', outcome: { kind: 'needs_input', summary: reason, checks } }
    case 'impossible':
      throw new RunFailure('impossible', reason, checks)
    case 'changed':
      return { ...result, outcome }
  }
}
