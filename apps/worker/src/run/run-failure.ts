import type { CheckResult } from '@corrigenda/contracts'

/** The job cannot be done: its code and sentence go to the job record as they are. */
export class RunFailure extends Error {
  constructor(
    /** Stable, snake_case. */
    readonly code: string,
    message: string,
    readonly checks: readonly CheckResult[] = [],
  ) {
    super(message)
    this.name = 'RunFailure'
  }
}
