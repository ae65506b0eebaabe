import type { RepositoryTest, RepositoryTestAccepted } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'
import { toProjectPath } from './to-project-path.ts'

/**
 * A repository connection check. Polled frequently while it runs, so that its steps appear one by
 * one.
 */
export const repositoryTestQuery = (projectId: string, testId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'repository-test', testId],
    queryFn: ({ signal }) => request<RepositoryTest>(toProjectPath(projectId, 'repository-tests', testId), { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'done' ? false : 400),
  })

export const startRepositoryTest = (projectId: string) =>
  request<RepositoryTestAccepted>(toProjectPath(projectId, 'repository-tests'), { method: 'POST' })
