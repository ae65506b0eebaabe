import type { Family, Split } from './task.ts'

export interface TaskChoice {
  readonly glob: string | null
  readonly family: Family | null
  readonly split: Split | null
  readonly file: string | null
}

/** Thrown for an invalid call. The message states how to correct it. */
export class CallError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CallError'
  }
}
