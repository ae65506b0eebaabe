import { inLiveProject } from '../db/in-live-project.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { LeaseTable } from '../leases/lease-table.ts'

/** Identifies the claim under which a worker writes to a deployment. */
export interface DeploymentFence {
  readonly statusId: string
  readonly attempt: number
}

/** Lease table of deployments. A deployment that has ended or whose project is deleted is not writable. */
export const DEPLOYMENTS: LeaseTable<DeploymentFence> = {
  name: 'deployments',
  writable: Prisma.sql`status = 'in_progress' AND ${inLiveProject('deployments')}`,
  toLease: ({ statusId, attempt }) => ({ id: statusId, fence: attempt }),
}
