import type { AcmeProject } from './acme.ts'
import type { Answers } from './work-job.ts'

/** A fixed sequence of requests of the tenant. Its responses are the same in every run. */
export interface Round {
  readonly name: string
  /** Maximum number of runs per project. Default: no limit. */
  readonly limit?: number
  /**
   * @param word unique text for this run, 20 characters long
   * @returns the responses, and values under `hidden` that differ between runs
   */
  run(project: AcmeProject, word: string): Promise<Answers & { readonly hidden?: readonly string[] }>
}
