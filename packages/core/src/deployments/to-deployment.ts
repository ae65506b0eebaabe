import { DeployedCommit, type Deployment, type DeploymentSource, DeploymentTrigger } from '@corrigenda/contracts'
import { z } from 'zod'
import type { DeploymentModel } from '../generated/prisma/models/Deployment.ts'

const Logs = z.array(z.string())

/** The hosted API's name for each trigger. */
const SOURCES: Readonly<Record<DeploymentTrigger, DeploymentSource>> = {
  api: 'api',
  dashboard: 'dashboard',
  merge: 'github',
}

/** Fields of the hosted API for data that this service does not have. */
const NOT_SUPPORTED = {
  ...{ subdomain: '', screenshot: '', screenshotLight: '', screenshotDark: '' },
  author: null,
} as const

/** Converts a row to its API representation. */
export function toDeployment(row: DeploymentModel): Deployment {
  const trigger = DeploymentTrigger.parse(row.trigger)
  return {
    _id: row.id,
    projectId: row.projectId,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    status: row.status,
    summary: row.summary,
    logs: Logs.parse(row.logs),
    commit: DeployedCommit.safeParse(row.commit).data ?? null,
    source: SOURCES[trigger],
    trigger,
    preview: toPreview(row),
    url: row.url,
    jobId: row.jobId,
    ...NOT_SUPPORTED,
  }
}

/** Returns the branch and the URL of a preview, or null for a deployment of the base branch. */
export function toPreview({
  previewBranch: branch,
  previewUrl: url,
}: Pick<DeploymentModel, 'previewBranch' | 'previewUrl'>): Deployment['preview'] {
  return branch === null || url === null ? null : { branch, url }
}
