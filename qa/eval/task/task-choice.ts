import type { Family, Split } from './task.ts'

export interface TaskChoice {
  readonly glob: string | null
  readonly family: Family | null
  readonly split: Split | null
  readonly file: string | null
}

/** A call that cannot be understood; the message says what to write instead. */
export class CallError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CallError'
  }
}
