import type { CreateAgentJobRequest, FailureCode } from '@corrigenda/contracts'
import type { FaultKind, GitFault, GitHost, MessagesApi, ScriptTurn } from '@corrigenda/testkit'

/** The actions of a row on both sides. They affect only its own repository and conversation. */
export interface Scene {
  readonly host: GitHost
  readonly model: MessagesApi
  /** `owner/name` of the row's repository. */
  readonly full: string
  /** Arms a fault of the Git host for this repository. */
  readonly fault: (fault: Omit<GitFault, 'match'>) => void
}

/**
 * A wait of the run. `waiting` was requested and uses no attempt. `error` was chosen by the service
 * and uses one. In seconds.
 */
export interface Wait {
  readonly reason: 'waiting' | 'error'
  readonly seconds: number
}

interface Checks {
  /** Pattern for the failure's message. */
  readonly message?: RegExp
  /** Final number of pull requests. Default: one for `changed`, otherwise none. */
  readonly pulls?: number
  /** True if the job's branch reaches the host. Default: for `changed` only. */
  readonly pushed?: boolean
  /** Waits planned in the run's row, in order. Default: none. */
  readonly waits?: readonly Wait[]
  /** Number of conversations with the model. Default 1. */
  readonly conversations?: number
  /** Number of model calls that received the fault. */
  readonly modelFaults?: number
  /** Minimum time between a faulty response and the next retry, in ms. */
  readonly spacingMs?: number
}

export interface Completed extends Checks {
  readonly status: 'completed'
  readonly outcome: 'changed'
  readonly code: null
}

export interface Failed extends Checks {
  readonly status: 'failed'
  readonly outcome: 'failed'
  readonly code: FailureCode
}

/** A fault and the expected result of the job. */
export interface FaultScenario {
  readonly id: string
  /** Occurs at the model's second turn, after a complete one. `first`: at the first turn. */
  readonly model?: FaultKind & { readonly times?: number }
  readonly first?: boolean
  /** Turns of the model, instead of one view and one edit. */
  readonly turns?: readonly ScriptTurn[]
  readonly arrange?: (scene: Scene) => void | Promise<void>
  /** Called while the model works on its last turn before it finishes. */
  readonly duringAgent?: (scene: Scene) => void | Promise<void>
  /** Called during the run's first wait. */
  readonly duringWait?: (scene: Scene) => void | Promise<void>
  readonly request?: Partial<CreateAgentJobRequest>
  /**
   * Empty: the repository has no commits. Missing: it does not exist. Closed: no server listens at
   * its address.
   */
  readonly repository?: 'empty' | 'missing' | 'closed'
  /** Attempts that were already used. Shortens outages whose calls are slow to fail. */
  readonly attemptsUsed?: number
  /** Requested waits that were already used. */
  readonly waitsUsed?: number
  /** Requires the worker whose pauses and deadlines for the Git host are fractions of a second. */
  readonly impatient?: boolean
  /** Also runs with the queue on Postgres. */
  readonly both?: boolean
  readonly expect: Completed | Failed
}

interface RowTexts {
  /** Completes "when …". Starts in lower case, without a period. */
  readonly title: string
  /** Corrigenda's reaction to the fault, in full sentences. */
  readonly reaction: string
}

/**
 * A scenario that docs/failures.md documents under its id. `advice` completes "Retry the job: …".
 * The texts are at most 90 characters long, so that the tables stay readable.
 */
export type FaultRow = FaultScenario &
  RowTexts &
  ({ readonly expect: Completed; readonly advice?: never } | { readonly expect: Failed; readonly advice: string })

/** The result of a job that recovers from its fault. */
export const COMPLETES = { status: 'completed', outcome: 'changed', code: null } as const

export function failsWith(code: FailureCode, more: Checks = {}): Failed {
  return { status: 'failed', outcome: 'failed', code, ...more }
}

/**
 * The waits of an outage, which is retried after 5, 10, 20 and 40 seconds, for five attempts in
 * total.
 */
export const OUTAGE: readonly Wait[] = [5, 10, 20, 40].map((seconds) => ({ reason: 'error', seconds }))

export const FOREVER = 1_000_000
