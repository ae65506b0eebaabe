import type { DashboardSession, ProviderName } from '@corrigenda/contracts'

/** What people call a place where they can sign in. */
export function toSignInName(provider: ProviderName, signIn: DashboardSession['signIn']): string {
  return provider === 'github' ? 'GitHub' : (signIn.oidc?.name ?? 'Single sign-on')
}
