import type { GitHubAppManifest, GitHubAppManifestRequest, GitHubAppState } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

const PATH = '/dashboard/api/github-app'

/** The GitHub App of this service, or null. */
export const githubAppQuery = queryOptions({
  queryKey: ['github-app'],
  queryFn: async ({ signal }) => (await request<GitHubAppState>(PATH, { signal })).app,
})

export const createGitHubAppManifest = (body: GitHubAppManifestRequest) =>
  request<GitHubAppManifest>(`${PATH}/manifest`, { method: 'POST', body })

export const deleteGitHubApp = () => request<void>(PATH, { method: 'DELETE' })
