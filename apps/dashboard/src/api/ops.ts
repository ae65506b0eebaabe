import type { OpsState, SetupProgress } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'
import { toProjectPath } from './to-project-path.ts'

/**
 * The state of the service. Polled every 2.5 s, so that an unresponsive worker is visible within
 * 15 s.
 */
export const opsQuery = queryOptions({
  queryKey: ['ops'],
  queryFn: ({ signal }) => request<OpsState>('/dashboard/api/ops', { signal }),
  refetchInterval: 2_500,
})

/** A project's progress toward its first pull request. */
export const setupProgressQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'setup-progress'],
    queryFn: ({ signal }) => request<SetupProgress>(toProjectPath(projectId, 'welcome'), { signal }),
    refetchInterval: 2_000,
  })
