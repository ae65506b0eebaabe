import type { QueueKind } from '../stack/open-stack.ts'

export const PARTS = ['random', 'points', 'zombies', 'recovery', 'soak'] as const

export type PartName = (typeof PARTS)[number]

/** What a caller may ask for; null: the part's own figure. */
export interface PartOptions {
  readonly queue: QueueKind
  readonly seed: number
  readonly jobs: number | null
  readonly workers: number | null
  readonly slots: number | null
  readonly leaseSeconds: number | null
  /** For a pipeline: less of everything. */
  readonly short: boolean
  readonly say: (line: string) => void
  /** Ends the rehearsal in good order. */
  readonly signal: AbortSignal
}

export interface PartResult {
  readonly part: string
  readonly queue: QueueKind
  readonly seconds: number
  readonly figures: Readonly<Record<string, string | number>>
  readonly violations: readonly string[]
  /** Where history and logs of a failed run are. */
  readonly kept: string | null
}
