import type { AgentResult } from '@corrigenda/agent/loop'
import type { CheckResult, FailureCode } from '@corrigenda/contracts'
import { toRunSettings } from '@corrigenda/core/projects'
import type { Claim, RunChanges, RunOutcome } from '@corrigenda/core/runs'

/**
 * Error for a job that cannot be completed. Its code and message are stored in the job record
 * unchanged.
 */
export class RunFailure extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly checks: readonly CheckResult[] = [],
    /** Changes made before the failure. */
    readonly changes: RunChanges | null = null,
  ) {
    super(message)
    this.name = 'RunFailure'
  }
}

/**
 * Error for a follow-up whose branch has commits that did not exist when its work started. The run
 * restarts on top of them.
 */
export class BranchMovedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BranchMovedError'
  }
}

/** An error that a retry may resolve. If it does not, the job fails with `code` and `message`. */
export class RetriedFailure extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    /** Wait that the remote service asks for, in ms; null if it does not. */
    readonly afterMs: number | null,
    cause: unknown,
  ) {
    super(message, { cause })
    this.name = 'RetriedFailure'
  }
}

/** The run continues later. */
export interface LaterEnding {
  readonly kind: 'later'
  /** Wait requested by the remote service, in ms; null to let the retry policy choose. */
  readonly afterMs: number | null
  /** The job's failure code if the retries are used up. */
  readonly code: FailureCode
  readonly message: string
}

/** Result of working on a run. */
export type RunEnding = { readonly kind: 'ended'; readonly outcome: RunOutcome } | LaterEnding

type Finished = Extract<AgentResult, { kind: 'finished' }>
type Stopped = Extract<AgentResult, { kind: 'stopped' }>

/** Result of an agent that changed files. */
export type ChangeResult = Finished & { readonly outcome: 'changed' }

/**
 * Maps the agent's result to the run's ending. A change is returned as is, because it is published
 * next. The result of an agent stopped by a limit is also returned as is, because the run fails
 * with the changes made so far.
 * @throws RunFailure `impossible`; `needs_input` if the agent may not ask
 */
export function toRunEnding(result: AgentResult, { mayAsk }: { mayAsk: boolean }): RunEnding | ChangeResult | Stopped {
  if (result.kind === 'deferred') {
    const afterMs = Math.max(0, result.retryAt.getTime() - Date.now())
    return { kind: 'later', afterMs, code: 'model_unavailable', message: result.reason }
  }
  if (result.kind === 'stopped') {
    // The calls have already been retried. An outage of a few minutes must not fail the job.
    if (result.code !== 'model_unavailable') return result
    return { kind: 'later', afterMs: null, code: result.code, message: result.message }
  }
  const { outcome, reason, checks, sourcesShown } = result
  switch (outcome) {
    case 'no_change':
      return { kind: 'ended', outcome: { kind: 'no_changes', summary: reason, checks, sourcesShown } }
    case 'needs_input':
      if (!mayAsk) throw new RunFailure('needs_input', reason, checks)
      return { kind: 'ended', outcome: { kind: 'needs_input', summary: reason, checks } }
    case 'impossible':
      throw new RunFailure('impossible', reason, checks)
    case 'changed':
      return { ...result, outcome }
  }
}

/** Returns whether a run may end with a question. */
export const mayAsk = ({ options, settings }: Pick<Claim, 'options' | 'settings'>): boolean =>
  (options.questions ?? toRunSettings(settings).policy.questions) === 'ask'
