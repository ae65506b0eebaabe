import type { CallOptions } from './call-options.ts'

/** Workflows that the host runs. The calls throw the same errors as those of GitHost. */
export interface Workflows {
  /**
   * Returns the file of a workflow at `ref`; null when it is not a readable file.
   * @throws GitHostError `not_found`
   */
  findFile(input: { workflow: string; ref: string } & CallOptions): Promise<Buffer | null>
  /**
   * Starts a workflow. Sent once, because a second request would start a second run.
   * @returns the run's id if the host provides it
   */
  start(
    input: { workflow: string; ref: string; inputs: Readonly<Record<string, string>> } & CallOptions,
  ): Promise<number | null>
  /** Sends an event that workflows and other listeners act on. Sent once. */
  sendEvent(input: { type: string; payload: Readonly<Record<string, unknown>> } & CallOptions): Promise<void>
  /**
   * Returns the newest 50 runs that were started by `start` (of one workflow) or by `sendEvent`,
   * newest first.
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
  /** `queued`, `in_progress`, `completed` and others; hosts may add values. */
  readonly status: string | null
  readonly conclusion: string | null
  readonly url: string
}
