import type { DashboardSession, ProviderName } from '@corrigenda/contracts'

/** Returns the display name of a sign-in provider. */
export function toSignInName(provider: ProviderName, signIn: DashboardSession['signIn']): string {
  return provider === 'github' ? 'GitHub' : (signIn.oidc?.name ?? 'Single sign-on')
}
