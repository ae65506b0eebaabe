import type { CompatTarget } from './ask-server.ts'

export interface CompatInput extends CompatTarget {
  /** Prompt for the jobs. The suite creates eight jobs and a follow-up. */
  readonly prompt: string
  /** Time limit for each job, in ms. */
  readonly jobMs: number
  /** Polling interval for a job, in ms. */
  readonly pollMs: number
  /**
   * Creates jobs until the project reaches its hourly limit. This check runs last, because no job
   * can be created afterwards.
   */
  readonly exhaustQuota: boolean
}

export interface CompatCheck {
  readonly name: string
  /** @throws Mismatch if the server deviates from the contract; Skipped if the check cannot run */
  readonly run: (input: CompatInput) => Promise<void>
}

/** Thrown to skip a check. The message states the reason. */
export class Skipped extends Error {}
