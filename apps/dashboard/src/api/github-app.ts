import type { GitHubAppManifest, GitHubAppManifestRequest, GitHubAppState } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

const PATH = '/dashboard/api/github-app'

/** This service's GitHub App, or null until one is created. */
export const githubAppQuery = queryOptions({
  queryKey: ['github-app'],
  queryFn: async ({ signal }) => (await request<GitHubAppState>(PATH, { signal })).app,
})

export const createGitHubAppManifest = (body: GitHubAppManifestRequest) =>
  request<GitHubAppManifest>(`${PATH}/manifest`, { method: 'POST', body })

export const deleteGitHubApp = () => request<void>(PATH, { method: 'DELETE' })
