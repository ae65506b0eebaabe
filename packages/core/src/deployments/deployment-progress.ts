import { z } from 'zod'

/** What a successor must know to go on where a worker stopped. Each is written before what it announces is done. */
export const DeploymentProgress = z.object({
  /** Calls of the deploy hook so far. */
  calls: z.number().int().nonnegative().default(0),
  /** The dispatch of a workflow, once it was about to be sent: until a run of it is found, nobody knows whether it was. */
  dispatch: z
    .object({
      /** Runs that were there before, so none of ours. */
      seenRuns: z.array(z.number().int()),
      /** Times it was sent. */
      times: z.number().int().positive(),
    })
    .nullable()
    .default(null),
  /** The workflow run that is followed. */
  runId: z.number().int().nullable().default(null),
})
export type DeploymentProgress = z.infer<typeof DeploymentProgress>
