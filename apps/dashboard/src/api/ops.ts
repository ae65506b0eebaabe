import type {
  GitHubAppManifest,
  GitHubAppManifestRequest,
  GitHubAppState,
  OpsState,
  OpsUser,
  OpsUserList,
  SetupProgress,
  UpdateOpsUserRequest,
} from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request, toProjectPath } from './request.ts'

const USERS = '/dashboard/api/ops/people'

/** All accounts, for admins. */
export const usersQuery = queryOptions({
  queryKey: ['ops', 'users'],
  queryFn: async ({ signal }) => (await request<OpsUserList>(USERS, { signal })).users,
})

const PATH = '/dashboard/api/github-app'

/** This service's GitHub App, or null until one is created. */
export const githubAppQuery = queryOptions({
  queryKey: ['github-app'],
  queryFn: async ({ signal }) => (await request<GitHubAppState>(PATH, { signal })).app,
})

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

export const createGitHubAppManifest = (body: GitHubAppManifestRequest) =>
  request<GitHubAppManifest>(`${PATH}/manifest`, { method: 'POST', body })

export const deleteGitHubApp = () => request<void>(PATH, { method: 'DELETE' })

const toPath = (userId: string) => `${USERS}/${encodeURIComponent(userId)}`

export const updateUser = (userId: string, body: UpdateOpsUserRequest) =>
  request<OpsUser>(toPath(userId), { method: 'PATCH', body })

export const deleteUser = (userId: string, email: string) =>
  request<void>(toPath(userId), { method: 'DELETE', body: { email } })
