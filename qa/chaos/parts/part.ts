import type { QueueKind } from '../stack/open-stack.ts'

export const PARTS = ['random', 'points', 'zombies', 'recovery', 'soak'] as const

export type PartName = (typeof PARTS)[number]

/** The caller's options. Null selects the part's default. */
export interface PartOptions {
  readonly queue: QueueKind
  readonly seed: number
  readonly jobs: number | null
  readonly workers: number | null
  readonly slots: number | null
  readonly leaseSeconds: number | null
  readonly kills: number | null
  /** Puts PgBouncer between the services and Postgres. */
  readonly pooler: boolean
  /** Runs fewer jobs and injects fewer faults, for CI. */
  readonly short: boolean
  readonly say: (line: string) => void
  /** Stops the campaign gracefully. */
  readonly signal: AbortSignal
}

export interface PartResult {
  readonly part: string
  readonly queue: QueueKind
  readonly seconds: number
  readonly figures: Readonly<Record<string, string | number>>
  readonly violations: readonly string[]
  /** Folder with the history and logs of a failed run. */
  readonly kept: string | null
}
