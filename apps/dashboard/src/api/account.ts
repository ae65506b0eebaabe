import type {
  AccountDetails,
  AccountSessionList,
  ChangePasswordRequest,
  ConfirmRequest,
  DeleteAccountRequest,
  LinkStart,
  ProviderName,
  UpdateAccountRequest,
} from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

const ACCOUNT = '/dashboard/api/account'

/** One's own account: how it signs in, and what keeps it from being deleted. */
export const accountQuery = queryOptions({
  queryKey: ['account', 'details'],
  queryFn: ({ signal }) => request<AccountDetails>(ACCOUNT, { signal }),
})

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

/** Shows once more who is there: for a few minutes the session may do what a stranger at an open browser must not. */
export const confirmAccount = (body: ConfirmRequest) => request<void>(`${ACCOUNT}/confirm`, { method: 'POST', body })

/** Begins to link an account elsewhere: the browser goes to `url` and comes back to the account. */
export const linkProvider = (provider: ProviderName) =>
  request<LinkStart>(`${ACCOUNT}/providers/${provider}`, { method: 'POST' })

export const unlinkProvider = (provider: ProviderName) =>
  request<void>(`${ACCOUNT}/providers/${provider}`, { method: 'DELETE' })

export const deleteAccount = (body: DeleteAccountRequest) => request<void>(ACCOUNT, { method: 'DELETE', body })
