import {
  type AgentJob,
  type CreateAgentJobRequest,
  type DashboardJob,
  type DashboardJobPage,
  type JobFilterOptions,
  type JobsNeedingAttention,
  type ListDashboardJobsQuery,
  OPEN_STATES,
} from '@corrigenda/contracts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { toJobTitle } from '../format/format.ts'
import { ApiError, request, toAgentPath, toProjectPath } from './request.ts'

/** Number of jobs that a search shows, and number of matches that it ranks. */
const SHOWN = 6
const RANKED = 50

const JOB_ID = /^job_[0-9a-z]{26}$/

/**
 * Returns the common prefix of all query keys for a project's jobs. When a job changes, all of
 * these queries are refetched.
 */
export const toJobsKey = (projectId: string) => ['project', projectId, 'jobs'] as const

/** Parameters of the list: `ListDashboardJobsQuery` as text. */
export type JobListFilter = Readonly<Partial<Record<Exclude<keyof ListDashboardJobsQuery, 'limit' | 'cursor'>, string>>>

/** Pages of a project's jobs, newest first. `status` is a comma-separated list of states. */
export const jobListQuery = (projectId: string, filter: JobListFilter) =>
  infiniteQueryOptions({
    queryKey: [...toJobsKey(projectId), 'list', filter],
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams({ ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) })
      return request<DashboardJobPage>(`${toProjectPath(projectId, 'jobs')}?${query}`, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })

/** The values that the filters of the list can have. */
export const jobFilterOptionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'job-filter-options'],
    queryFn: ({ signal }) => request<JobFilterOptions>(toProjectPath(projectId, 'job-filter-options'), { signal }),
    staleTime: 30_000,
  })

/** Polling interval in ms of the count, in addition to the stream of changes. */
const COUNT_POLL_MS = 30_000

/** The number of jobs that wait for a person, by state. */
export const jobsNeedingAttentionQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...toJobsKey(projectId), 'needing-attention'],
    queryFn: ({ signal }) =>
      request<JobsNeedingAttention>(toProjectPath(projectId, 'jobs-needing-attention'), { signal }),
    refetchInterval: COUNT_POLL_MS,
  })

/** @param idempotencyKey a repeated call with the same key returns the same job */
export const createJob = (projectId: string, body: CreateAgentJobRequest, idempotencyKey: string) =>
  request<AgentJob>(toAgentPath(projectId, 'job'), { method: 'POST', body, idempotencyKey })

/**
 * The newest jobs with this text, those with the text in the title first, or the job with this id.
 * Without a text, the newest open jobs.
 */
export const jobSearchQuery = (projectId: string, q: string) =>
  queryOptions({
    queryKey: [...toJobsKey(projectId), 'search', q],
    queryFn: async ({ signal }): Promise<readonly DashboardJob[]> => {
      if (JOB_ID.test(q)) return findJob(projectId, q, signal)
      const query = new URLSearchParams(
        q === '' ? { limit: String(SHOWN), status: OPEN_STATES.join() } : { limit: String(RANKED), q },
      )
      const page = await request<DashboardJobPage>(`${toProjectPath(projectId, 'jobs')}?${query}`, { signal })
      const hasInTitle = (job: DashboardJob) => toJobTitle(job).toLowerCase().includes(q.toLowerCase())
      return page.jobs.toSorted((a, b) => Number(hasInTitle(b)) - Number(hasInTitle(a))).slice(0, SHOWN)
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
