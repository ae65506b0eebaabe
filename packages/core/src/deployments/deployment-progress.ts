import { z } from 'zod'

/**
 * State that another worker needs to continue a deployment. `calls` and `dispatch` are written
 * before the actions that they record.
 */
export const DeploymentProgress = z.object({
  /** Number of calls to the deploy hook so far. */
  calls: z.number().int().nonnegative().default(0),
  /**
   * Workflow dispatch, recorded before it is sent. Until a resulting workflow run is found, it is
   * unknown whether the Git host received the dispatch.
   */
  dispatch: z
    .object({
      /** Ids of workflow runs that existed before the dispatch and cannot result from it. */
      seenRuns: z.array(z.number().int()),
      /** Number of times the dispatch was sent. */
      times: z.number().int().positive(),
    })
    .nullable()
    .default(null),
  /** Id of the workflow run to poll. */
  runId: z.number().int().nullable().default(null),
})
export type DeploymentProgress = z.infer<typeof DeploymentProgress>
