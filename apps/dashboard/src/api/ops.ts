import type { OpsState, Welcome } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'
import { toProjectPath } from './to-project-path.ts'

/** How the service is doing. Asked every 2.5 s: a worker that fell silent is to be seen within 15 s. */
export const opsQuery = queryOptions({
  queryKey: ['ops'],
  queryFn: ({ signal }) => request<OpsState>('/dashboard/api/ops', { signal }),
  refetchInterval: 2_500,
})

/** How far a project has come on the way to its first pull request. */
export const welcomeQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'welcome'],
    queryFn: ({ signal }) => request<Welcome>(toProjectPath(projectId, 'welcome'), { signal }),
    refetchInterval: 2_000,
  })
