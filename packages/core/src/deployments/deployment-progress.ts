import { z } from 'zod'

/**
 * State that another worker needs to continue a deployment. Each entry is written before the action
 * that it records.
 */
export const DeploymentProgress = z.object({
  /** Calls of the deploy hook so far. */
  calls: z.number().int().nonnegative().default(0),
  /**
   * Dispatch of a workflow, written before it is sent. It is unknown if the host received it until
   * a run of it is found.
   */
  dispatch: z
    .object({
      /** Ids of runs that existed before the dispatch, which therefore do not belong to it. */
      seenRuns: z.array(z.number().int()),
      /** Number of times it was sent. */
      times: z.number().int().positive(),
    })
    .nullable()
    .default(null),
  /** The workflow run that is polled. */
  runId: z.number().int().nullable().default(null),
})
export type DeploymentProgress = z.infer<typeof DeploymentProgress>
