import type { ProjectSettings, SaveCredentialRequest, SaveSettingsRequest } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'
import { toProjectPath } from './to-project-path.ts'

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
