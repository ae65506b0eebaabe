import { z } from 'zod'

/** Wire states of a deployment. */
export const DeploymentStatus = z.enum(['queued', 'in_progress', 'success', 'failure'])
export type DeploymentStatus = z.infer<typeof DeploymentStatus>
