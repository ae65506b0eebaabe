import { AppError } from '@corrigenda/core/base'
import type { ApiDeps } from '../http/deps.ts'

/**
 * Rejects requests that use a password if passwords are turned off.
 * @throws AppError `password_sign_in_disabled`
 */
export function refusePasswords({ signIn }: Pick<ApiDeps, 'signIn'>): void {
  if (signIn.password) return
  const names = [...(signIn.github ? ['GitHub'] : []), ...(signIn.oidc ? [signIn.oidc.name] : [])]
  throw new AppError(
    'password_sign_in_disabled',
    `Passwords are turned off on this service. Sign in with ${names.join(' or ')}.`,
  )
}
