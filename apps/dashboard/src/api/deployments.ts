import type { DeploymentPage, UpdateAccepted } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

const PROJECT = '/v1/project'

/**
 * A project's last ten deployments, newest first. Polls more often while one is queued or running.
 */
export const deploymentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'deployments'],
    queryFn: async ({ signal }) => {
      const page = await request<DeploymentPage>(`${PROJECT}/${encodeURIComponent(projectId)}/updates?limit=10`, {
        signal,
      })
      return page.updates
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'queued' || status === 'in_progress') ? 1_000 : 15_000,
  })

export const deploy = (projectId: string) =>
  request<UpdateAccepted>(`${PROJECT}/update/${encodeURIComponent(projectId)}`, { method: 'POST' })
