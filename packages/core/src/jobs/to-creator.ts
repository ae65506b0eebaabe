import type { DashboardJob } from '@corrigenda/contracts'
import type { JobModel } from '../generated/prisma/models/Job.ts'

/**
 * Returns the job's creator. User ids start with `usr_`; key ids consist of 12 letters and digits.
 */
export function toCreator({
  createdBy,
  createdByName: name,
}: Pick<JobModel, 'createdBy' | 'createdByName'>): DashboardJob['createdBy'] {
  if (createdBy === null || name === null) return null
  return { kind: createdBy.startsWith('usr_') ? 'user' : 'key', name }
}
