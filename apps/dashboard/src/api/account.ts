import type {
  AccountDetails,
  AccountSessionList,
  ChangePasswordRequest,
  ConfirmRequest,
  DeleteAccountRequest,
  ProviderName,
  ProviderStart,
  UpdateAccountRequest,
} from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

const ACCOUNT = '/dashboard/api/account'

/** The user's account, with its sign-in methods and anything that prevents its deletion. */
export const accountQuery = queryOptions({
  queryKey: ['account', 'details'],
  queryFn: ({ signal }) => request<AccountDetails>(ACCOUNT, { signal }),
})

/** The account's active sessions. */
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

/** Reauthenticates the user. The session then allows sensitive actions for a few minutes. */
export const confirmAccount = (body: ConfirmRequest) => request<void>(`${ACCOUNT}/confirm`, { method: 'POST', body })

/**
 * Starts linking an external account. The browser goes to `url` and returns to the account page.
 */
export const linkProvider = (provider: ProviderName) =>
  request<ProviderStart>(`${ACCOUNT}/providers/${provider}`, { method: 'POST' })

export const unlinkProvider = (provider: ProviderName) =>
  request<void>(`${ACCOUNT}/providers/${provider}`, { method: 'DELETE' })

export const deleteAccount = (body: DeleteAccountRequest) => request<void>(ACCOUNT, { method: 'DELETE', body })
