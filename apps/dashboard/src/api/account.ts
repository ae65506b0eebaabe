import type { AccountSessionList, ChangePasswordRequest, UpdateAccountRequest } from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

const ACCOUNT = '/dashboard/api/account'

/** Where the account is signed in. */
export const accountSessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await request<AccountSessionList>(`${ACCOUNT}/sessions`, { signal })).sessions,
})

export const endSession = (id: string) =>
  request<void>(`${ACCOUNT}/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })

export const endOtherSessions = () => request<void>(`${ACCOUNT}/sessions/revoke-others`, { method: 'POST' })

export const changePassword = (body: ChangePasswordRequest) =>
  request<void>(`${ACCOUNT}/password`, { method: 'POST', body })

export const updateAccount = (body: UpdateAccountRequest) => request<unknown>(ACCOUNT, { method: 'PATCH', body })
