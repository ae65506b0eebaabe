import type {
  DashboardSession,
  ProviderName,
  ProviderStart,
  SetupProviderRequest,
  SetupRequest,
  SignInRequest,
} from '@corrigenda/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { request } from './request.ts'

/** The signed-in user and the available sign-in methods. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => request<DashboardSession>('/dashboard/api/session', { signal }),
  staleTime: 60_000,
})

/** The Git hosts that are not GitHub, for links and words. */
export const useGitHosts = () => useQuery(sessionQuery).data?.gitHosts ?? []

export const setUp = (body: SetupRequest) => request<DashboardSession>('/dashboard/api/setup', { method: 'POST', body })

/** Starts the setup with a provider, which continues at the returned URL. */
export const setUpWith = (provider: ProviderName, body: SetupProviderRequest) =>
  request<ProviderStart>(`/dashboard/api/setup/${provider}`, { method: 'POST', body })

export const signIn = (body: SignInRequest) =>
  request<DashboardSession>('/dashboard/api/sign-in', { method: 'POST', body })

/** Signs in with the token of a link from the command line. */
export const signInWithLink = (token: string) =>
  request<DashboardSession>('/dashboard/api/sign-in/link', { method: 'POST', body: { token } })

/** Connects the demo to a real model until the service stops. */
export const connectModel = (apiKey: string) =>
  request<void>('/dashboard/api/demo/model', { method: 'POST', body: { apiKey } })

export const signOut = () => request<void>('/dashboard/api/sign-out', { method: 'POST' })
