import type {
  CreateProjectRequest,
  DashboardProject,
  DashboardProjectList,
  ProjectUsage,
  ProjectUsageQuery,
} from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request, toProjectPath } from './request.ts'

/** The projects that the signed-in user can access. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await request<DashboardProjectList>('/dashboard/api/projects', { signal })).projects,
  staleTime: 30_000,
})

export const createProject = (body: CreateProjectRequest) =>
  request<DashboardProject>('/dashboard/api/projects', { method: 'POST', body })

/** A project's usage in the last days. Requires the owner role. */
export const usageQuery = (projectId: string, { days }: ProjectUsageQuery) =>
  queryOptions({
    queryKey: ['project', projectId, 'usage', days],
    queryFn: ({ signal }) => request<ProjectUsage>(`${toProjectPath(projectId, 'usage')}?days=${days}`, { signal }),
    staleTime: 60_000,
  })
