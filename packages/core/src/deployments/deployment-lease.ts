import { Prisma } from '../generated/prisma/client.ts'
import type { LeaseTable } from '../leases/lease-table.ts'

/** The claim that a worker's writes to a deployment belong to. */
export interface DeploymentFence {
  readonly statusId: string
  readonly attempt: number
}

/** Deployments as leases: one that has ended cannot be written to. */
export const DEPLOYMENTS: LeaseTable<DeploymentFence> = {
  name: 'deployments',
  writable: Prisma.sql`status = 'in_progress'`,
  toLease: ({ statusId, attempt }) => ({ id: statusId, fence: attempt }),
}
