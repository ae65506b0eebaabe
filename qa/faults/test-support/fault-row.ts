import type { CreateAgentJobRequest, FailureCode } from '@corrigenda/contracts'
import type { FaultKind, GitFault, GitHost, MessagesApi, ScriptTurn } from '@corrigenda/testkit'

/** Context of a row's actions, which affect only the row's repository and conversation. */
export interface Scene {
  readonly host: GitHost
  readonly model: MessagesApi
  /** `owner/name` of the row's repository. */
  readonly full: string
  /** Makes the Git host inject a fault for this repository. */
  readonly fault: (fault: Omit<GitFault, 'match'>) => void
  /** `owner/name` of the row's source. */
  readonly source: string
  /** Makes the Git host inject a fault for the row's source. */
  readonly sourceFault: (fault: Omit<GitFault, 'match'>) => void
}

/**
 * A run's planned wait, in seconds. `waiting` was requested by a server and does not use an
 * attempt. `error` was chosen by the service and uses one.
 */
export interface Wait {
  readonly reason: 'waiting' | 'error'
  readonly seconds: number
}

interface Checks {
  /** Pattern for the failure message. */
  readonly message?: RegExp
  /** Final number of pull requests. Default: 1 for `changed`, otherwise 0. */
  readonly pulls?: number
  /** True if the job's branch reaches the host. Default: true only for `changed`. */
  readonly pushed?: boolean
  /** The run's planned waits, in order. Empty by default. */
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

/** A fault and the job's expected result. */
export interface FaultScenario {
  readonly id: string
  /**
   * Model API fault in the second turn, after a complete one, or in the first turn if `first` is
   * set.
   */
  readonly model?: FaultKind & { readonly times?: number }
  readonly first?: boolean
  /** Model turns to use instead of one view and one edit. */
  readonly turns?: readonly ScriptTurn[]
  readonly arrange?: (scene: Scene) => void | Promise<void>
  /** Called during the model's last turn before it finishes. */
  readonly duringAgent?: (scene: Scene) => void | Promise<void>
  /** Called during the run's first wait. */
  readonly duringWait?: (scene: Scene) => void | Promise<void>
  readonly request?: Partial<CreateAgentJobRequest>
  /**
   * `empty` has no commits, and `missing` does not exist. With `closed`, no server listens at its
   * address.
   */
  readonly repository?: 'empty' | 'missing' | 'closed'
  /**
   * The project has a source `api` with code, without commits, or that does not exist. Default: no
   * source.
   */
  readonly source?: 'code' | 'empty' | 'missing'
  /** Number of attempts already used. Shortens the tests of outages in which calls fail slowly. */
  readonly attemptsUsed?: number
  /** Number of requested waits already used. */
  readonly waitsUsed?: number
  /** Requires a worker with short Git host deadlines and retry delays. */
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
 * A scenario that docs/failures.md documents under its id. `advice` answers the question "Retry the
 * job?". Each string is at most 90 characters long, so that the tables stay readable.
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
 * The waits during an outage. The run is retried after 5, 10, 20 and 40 seconds, so it has five
 * attempts in total.
 */
export const OUTAGE: readonly Wait[] = [5, 10, 20, 40].map((seconds) => ({ reason: 'error', seconds }))

export const FOREVER = 1_000_000
