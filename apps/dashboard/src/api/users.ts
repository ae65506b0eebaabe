import type { OpsUser, OpsUserList, UpdateOpsUserRequest } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

const USERS = '/dashboard/api/ops/people'
const toPath = (userId: string) => `${USERS}/${encodeURIComponent(userId)}`

/** All accounts, for admins. */
export const usersQuery = queryOptions({
  queryKey: ['ops', 'users'],
  queryFn: async ({ signal }) => (await request<OpsUserList>(USERS, { signal })).users,
})

export const updateUser = (userId: string, body: UpdateOpsUserRequest) =>
  request<OpsUser>(toPath(userId), { method: 'PATCH', body })

export const deleteUser = (userId: string, email: string) =>
  request<void>(toPath(userId), { method: 'DELETE', body: { email } })
