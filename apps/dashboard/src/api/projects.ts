import type { CreateProjectRequest, DashboardProject, DashboardProjectList } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

/** The projects that the signed-in user can access. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await request<DashboardProjectList>('/dashboard/api/projects', { signal })).projects,
  staleTime: 30_000,
})

export const createProject = (body: CreateProjectRequest) =>
  request<DashboardProject>('/dashboard/api/projects', { method: 'POST', body })
