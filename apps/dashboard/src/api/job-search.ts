import type { DashboardJob, DashboardJobPage } from '@corrigenda/contracts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { toJobsKey } from './jobs.ts'
import { request } from './request.ts'
import { toProjectPath } from './to-project-path.ts'

/** Number of jobs that a search shows. */
const LIMIT = 6

const JOB_ID = /^job_[0-9a-z]{26}$/

/** The newest jobs with this text in the title, the summary or a prompt, or the job with this id. */
export const jobSearchQuery = (projectId: string, q: string) =>
  queryOptions({
    queryKey: [...toJobsKey(projectId), 'search', q],
    queryFn: async ({ signal }): Promise<readonly DashboardJob[]> => {
      if (JOB_ID.test(q)) return findJob(projectId, q, signal)
      const query = new URLSearchParams({ limit: String(LIMIT), ...(q === '' ? {} : { q }) })
      return (await request<DashboardJobPage>(`${toProjectPath(projectId, 'jobs')}?${query}`, { signal })).jobs
    },
    placeholderData: keepPreviousData,
  })

async function findJob(projectId: string, id: string, signal: AbortSignal): Promise<readonly DashboardJob[]> {
  try {
    return [await request<DashboardJob>(toProjectPath(projectId, 'jobs', id), { signal })]
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}
