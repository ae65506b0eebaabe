import type { CheckResult, FileChange } from '@corrigenda/contracts'

export interface PartialChanges {
  readonly baseCommit: string
  readonly files: readonly FileChange[]
}

/** The job cannot be done: its code and sentence go to the job record as they are. */
export class RunFailure extends Error {
  constructor(
    /** Stable, snake_case. */
    readonly code: string,
    message: string,
    readonly checks: readonly CheckResult[] = [],
    /** The work so far. */
    readonly changes: PartialChanges | null = null,
  ) {
    super(message)
    this.name = 'RunFailure'
  }
}

/** The branch of a follow-up has commits that were not there when its work began: the work is begun anew on top of them. */
export class BranchMovedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BranchMovedError'
  }
}
