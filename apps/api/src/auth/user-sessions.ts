import type { ProviderName } from '@corrigenda/contracts'
import type { SignedInUser } from '@corrigenda/core/accounts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A request and its response. Sessions are read from and written to their cookies. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export interface ProviderStart {
  readonly provider: ProviderName
  /** Path of this service that the browser is redirected to after the sign-in. */
  readonly next: string
  /** Token of the new user's invitation. */
  readonly invitation: string | null
}

/** The functions for users and sessions that the endpoints use. */
export interface UserSessions {
  /**
   * Returns the signed-in user, or null. A request with an Authorization header has no session,
   * regardless of its cookies.
   */
  findUser(exchange: Exchange): Promise<SignedInUser | null>
  /** Signs in with a password. Returns null if the email address or the password is wrong. */
  signIn(exchange: Exchange, input: { email: string; password: string }): Promise<SignedInUser | null>
  /** Signs in to an account whose owner has just been verified. */
  startSession(exchange: Exchange, userId: string): Promise<SignedInUser>
  /** Ends the session of the request and clears the cookie. Idempotent. */
  signOut(exchange: Exchange): Promise<void>
  /**
   * Changes the password, ends all sessions and starts a new one for this browser.
   * @throws AppError `password_wrong`, `no_password`
   */
  changePassword(exchange: Exchange, input: { currentPassword: string; newPassword: string }): Promise<void>
  /** Returns the URL at the provider that the browser is redirected to. */
  startProvider(exchange: Exchange, input: ProviderStart): Promise<string>
  /** Returns the URL for linking an account at the provider to the signed-in account. */
  startLink(exchange: Exchange, provider: ProviderName): Promise<string>
  /** Handles the callback of a provider. Returns the path that the browser is redirected to. */
  finishProvider(exchange: Exchange, provider: ProviderName): Promise<string>
  hashPassword(password: string): Promise<string>
}
