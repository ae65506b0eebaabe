import type { AgentJob, CreateAgentJobRequest, DashboardJobPage } from '@corrigenda/contracts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { request } from './request.ts'
import { toAgentPath, toProjectPath } from './to-project-path.ts'

/**
 * Returns the common prefix of all query keys for a project's jobs. When a job changes, all of
 * these queries are refetched.
 */
export const toJobsKey = (projectId: string) => ['project', projectId, 'jobs'] as const

/** Pages of a project's jobs, newest first. `status` is a comma-separated list of states. */
export const jobListQuery = (projectId: string, filter: { readonly status?: string; readonly q?: string }) =>
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

export const createJob = (projectId: string, body: CreateAgentJobRequest) =>
  request<AgentJob>(toAgentPath(projectId, 'job'), { method: 'POST', body })
