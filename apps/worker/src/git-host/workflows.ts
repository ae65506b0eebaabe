import type { CallOptions } from './call-options.ts'

/** Workflows on the host. Calls throw the same errors as GitHost. */
export interface Workflows {
  /**
   * Returns a workflow's file at `ref`; null if it is not a readable file.
   * @throws GitHostError `not_found`
   */
  findFile(input: { workflow: string; ref: string } & CallOptions): Promise<Buffer | null>
  /**
   * Starts a workflow. The request is not retried, because a second request would start a second
   * run.
   * @returns the run's id if the host provides it
   */
  start(
    input: { workflow: string; ref: string; inputs: Readonly<Record<string, string>> } & CallOptions,
  ): Promise<number | null>
  /** Sends, without retries, an event that can trigger workflows and other listeners. */
  sendEvent(input: { type: string; payload: Readonly<Record<string, unknown>> } & CallOptions): Promise<void>
  /**
   * Returns the 50 newest runs started by `start` (for one workflow) or by `sendEvent`, newest
   * first.
   */
  listRuns(input: { startedBy: { workflow: string } | 'event' } & CallOptions): Promise<WorkflowRun[]>
  /** @throws GitHostError `not_found` when the run was deleted */
  getRun(input: { id: number } & CallOptions): Promise<WorkflowRun>
}

export interface WorkflowRun {
  readonly id: number
  readonly headBranch: string | null
  readonly headSha: string
  readonly title: string
  /** For example `queued`, `in_progress` or `completed`. Hosts may add values. */
  readonly status: string | null
  readonly conclusion: string | null
  readonly url: string
}
