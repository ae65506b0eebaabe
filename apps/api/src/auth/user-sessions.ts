import type { ProviderName } from '@corrigenda/contracts'
import type { SignedInUser } from '@corrigenda/core/accounts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * A request and its response. The session is read from the request's cookies and set in the
 * response's cookies.
 */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

interface ProviderStart {
  readonly provider: ProviderName
  /** Path on this service to redirect the browser to after sign-in. */
  readonly next: string
  /** Token of the new user's invitation, if any. */
  readonly invitation: string | null
  /** True if the user may become the first admin. */
  readonly isSetup: boolean
}

/** How a session was started. */
export type SignInMethod = 'password' | 'link' | 'demo' | ProviderName

/** Operations on user sessions, used by the endpoints. */
export interface UserSessions {
  /**
   * Returns the signed-in user, or null. A request with an Authorization header has no session,
   * regardless of its cookies.
   */
  findUser(exchange: Exchange): Promise<SignedInUser | null>
  /** Signs in with a password. Returns null if the email address or the password is wrong. */
  signIn(exchange: Exchange, input: { email: string; password: string }): Promise<SignedInUser | null>
  /** Signs in to an account whose owner has just been verified. */
  startSession(exchange: Exchange, userId: string, method: SignInMethod): Promise<SignedInUser>
  /** Ends the request's session and clears the cookie. Idempotent. */
  signOut(exchange: Exchange): Promise<void>
  /**
   * Changes the password, ends all sessions and starts a new one for this browser.
   * @throws AppError `password_wrong`, `no_password`
   */
  changePassword(exchange: Exchange, input: { currentPassword: string; newPassword: string }): Promise<void>
  /** Returns the provider URL to redirect the browser to. */
  startProvider(exchange: Exchange, input: ProviderStart): Promise<string>
  /** Returns the provider URL for linking a provider account to the signed-in account. */
  startLink(exchange: Exchange, provider: ProviderName): Promise<string>
  /** Handles a provider's callback. Returns the path to redirect the browser to. */
  finishProvider(exchange: Exchange, provider: ProviderName): Promise<string>
  hashPassword(request: FastifyRequest, password: string): Promise<string>
}
