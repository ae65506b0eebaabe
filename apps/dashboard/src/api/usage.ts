import type { ProjectUsage, ProjectUsageQuery } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'
import { toProjectPath } from './to-project-path.ts'

/** A project's usage in the last days. Requires the owner role. */
export const usageQuery = (projectId: string, { days }: ProjectUsageQuery) =>
  queryOptions({
    queryKey: ['project', projectId, 'usage', days],
    queryFn: ({ signal }) => request<ProjectUsage>(`${toProjectPath(projectId, 'usage')}?days=${days}`, { signal }),
    staleTime: 60_000,
  })
