import { z } from 'zod'

/** Deployment status on the wire. */
export const DeploymentStatus = z.enum(['queued', 'in_progress', 'success', 'failure'])
export type DeploymentStatus = z.infer<typeof DeploymentStatus>
