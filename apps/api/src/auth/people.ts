import type { ProviderName } from '@corrigenda/contracts'
import type { Person } from '@corrigenda/core/accounts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A request and its answer: sessions live in the cookies of both. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export interface ProviderStart {
  readonly provider: ProviderName
  /** Path of this service where the browser ends up. */
  readonly next: string
  /** Token of the invitation that a newcomer holds. */
  readonly invitation: string | null
}

/** What the endpoints need to know of people and their sessions. */
export interface People {
  /** Who is signed in; null: nobody. A request with an Authorization header has no session, whatever its cookies say. */
  findPerson(exchange: Exchange): Promise<Person | null>
  /** Signs in with a password. Null: the address or the password is wrong. */
  signIn(exchange: Exchange, input: { email: string; password: string }): Promise<Person | null>
  /** Signs in an account whose owner has just shown to be its owner. */
  startSession(exchange: Exchange, userId: string): Promise<Person>
  /** Ends the session of the request and takes the cookie away; may be repeated. */
  signOut(exchange: Exchange): Promise<void>
  /**
   * Ends all sessions and begins a new one here.
   * @throws AppError `password_wrong`, `no_password`
   */
  changePassword(exchange: Exchange, input: { currentPassword: string; newPassword: string }): Promise<void>
  /** The URL at the provider where the browser goes next. */
  startProvider(exchange: Exchange, input: ProviderStart): Promise<string>
  /** The same for linking an account at the provider to the account that is signed in. */
  startLink(exchange: Exchange, provider: ProviderName): Promise<string>
  /** Takes the browser back from a provider: the path where it goes next. */
  finishProvider(exchange: Exchange, provider: ProviderName): Promise<string>
  hashPassword(password: string): Promise<string>
}
