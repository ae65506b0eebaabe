import type {
  DeploymentPage,
  ProjectSettings,
  RepositoryTest,
  RepositoryTestAccepted,
  SaveCredentialRequest,
  SaveSettingsRequest,
  UpdateAccepted,
} from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request, toProjectPath } from './request.ts'

const PROJECT = '/v1/project'

/** A project's settings. Requires the member role. */
export const settingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'settings'],
    queryFn: ({ signal }) => request<ProjectSettings>(toProjectPath(projectId, 'settings'), { signal }),
  })

export const updateSettings = (projectId: string, body: SaveSettingsRequest) =>
  request<ProjectSettings>(toProjectPath(projectId, 'settings'), { method: 'PATCH', body })

export const saveCredential = (projectId: string, body: SaveCredentialRequest) =>
  request<unknown>(toProjectPath(projectId, 'credential'), { method: 'PUT', body })

export const deleteCredential = (projectId: string) =>
  request<unknown>(toProjectPath(projectId, 'credential'), { method: 'DELETE' })

export const saveSourceCredential = (projectId: string, source: string, body: SaveCredentialRequest) =>
  request<unknown>(toProjectPath(projectId, 'sources', source, 'credential'), { method: 'PUT', body })

export const deleteSourceCredential = (projectId: string, source: string) =>
  request<unknown>(toProjectPath(projectId, 'sources', source, 'credential'), { method: 'DELETE' })

/** @param name the project's name, typed by the user to confirm */
export const deleteProject = (projectId: string, name: string) =>
  request<void>(toProjectPath(projectId), { method: 'DELETE', body: { name } })

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
