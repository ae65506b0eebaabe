import { DeployedCommit, type Deployment, DeploymentSource } from '@corrigenda/contracts'
import { z } from 'zod'
import type { DeploymentModel } from '../generated/prisma/models/Deployment.ts'

const Logs = z.array(z.string())

/** Converts a row to its API representation. */
export function toDeployment(row: DeploymentModel): Deployment {
  return {
    _id: row.id,
    projectId: row.projectId,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    status: row.status,
    summary: row.summary,
    logs: Logs.parse(row.logs),
    commit: DeployedCommit.safeParse(row.commit).data ?? null,
    source: DeploymentSource.parse(row.source),
    url: row.url,
    jobId: row.jobId,
  }
}
