import type { Intruder } from './intruder.ts'

/** One kind of step of the walk. */
export interface Action {
  readonly name: string
  /** Relative frequency. */
  readonly weight: number
  run(intruder: Intruder): Promise<unknown>
}
