import type {
  CreatedDashboardKey,
  CreateKeyRequest,
  DashboardKeyList,
  RevokedDashboardKey,
  RotateKeyRequest,
} from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request, toProjectPath } from './request.ts'

/** A project's API keys, newest first. */
export const keysQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'keys'],
    queryFn: async ({ signal }) => (await request<DashboardKeyList>(toProjectPath(projectId, 'keys'), { signal })).keys,
  })

export const createKey = (projectId: string, body: CreateKeyRequest) =>
  request<CreatedDashboardKey>(toProjectPath(projectId, 'keys'), { method: 'POST', body })

export const rotateKey = (projectId: string, keyId: string, body: RotateKeyRequest) =>
  request<CreatedDashboardKey>(toProjectPath(projectId, 'keys', keyId, 'rotate'), { method: 'POST', body })

export const revokeKey = (projectId: string, keyId: string) =>
  request<RevokedDashboardKey>(toProjectPath(projectId, 'keys', keyId, 'revoke'), { method: 'POST' })
