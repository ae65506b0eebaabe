import type { CreateAgentJobRequest } from '@corrigenda/contracts'
import type { FaultKind, GitFault, GitHost, MessagesApi, ScriptTurn } from '@corrigenda/testkit'

/** What a row can do to the two sides. Everything hits its own repository and its own conversation only. */
export interface Scene {
  readonly host: GitHost
  readonly model: MessagesApi
  /** `owner/name` of the row's repository. */
  readonly full: string
  /** Arms a fault of the Git host for this repository. */
  readonly fault: (fault: Omit<GitFault, 'match'>) => void
}

/** A time the run was given back: `waiting` was asked for and uses no attempt, `error` is ours to choose and does. Seconds. */
export interface Wait {
  readonly reason: 'waiting' | 'error'
  readonly seconds: number
}

export interface Expectation {
  readonly status: 'completed' | 'failed'
  readonly outcome: 'changed' | 'failed' | 'no_changes'
  /** Failure code; null for none. */
  readonly code: string | null
  /** Part of the failure's sentence. */
  readonly message?: RegExp
  /** Pull requests in the end. Default: one for `changed`, else none. */
  readonly pulls?: number
  /** Does the job's branch reach the host? Default: for `changed` only. */
  readonly pushed?: boolean
  /** Waits planned in the run's row, in order. Default: none. */
  readonly waits?: readonly Wait[]
  /** Conversations with the model. Default 1. */
  readonly conversations?: number
  /** Model calls that were answered by the fault. */
  readonly modelFaults?: number
  /** Smallest time between a faulty answer and the next try, ms. */
  readonly spacingMs?: number
}

/** A fault, and how a job ends with it. The id is the row's name in docs/failures.md. */
export interface FaultRow {
  readonly id: string
  readonly title: string
  /** Goes wrong at the model's second turn, after one that is complete; `first`: at the first. */
  readonly model?: FaultKind & { readonly times?: number }
  readonly first?: boolean
  /** Turns of the model instead of one view and one edit. */
  readonly turns?: readonly ScriptTurn[]
  readonly arrange?: (scene: Scene) => void | Promise<void>
  /** While the model works on its last turn before it finishes. */
  readonly duringAgent?: (scene: Scene) => void | Promise<void>
  /** While the run waits; the first time only. */
  readonly duringWait?: (scene: Scene) => void | Promise<void>
  readonly request?: Partial<CreateAgentJobRequest>
  /** Empty: the repository has no commits; missing: there is none; closed: nothing listens there. */
  readonly repository?: 'empty' | 'missing' | 'closed'
  /** Attempts that were used before: shortens outages whose calls are slow to give up. */
  readonly attemptsUsed?: number
  /** Waits that were asked for before. */
  readonly waitsUsed?: number
  /** Needs the worker whose pauses and deadlines towards the Git host are fractions of a second. */
  readonly impatient?: boolean
  /** Also runs with the queue on Postgres. */
  readonly both?: boolean
  readonly expect: Expectation
}

/** A job that gets over its fault. */
export const MENDED = { status: 'completed', outcome: 'changed', code: null } as const

export function failsWith(code: string, more: Partial<Expectation> = {}): Expectation {
  return { status: 'failed', outcome: 'failed', code, ...more }
}

/** What is tried again five times, after 5, 10, 20 and 40 seconds. */
export const OUTAGE: readonly Wait[] = [5, 10, 20, 40].map((seconds) => ({ reason: 'error', seconds }))

export const FOREVER = 1_000_000
