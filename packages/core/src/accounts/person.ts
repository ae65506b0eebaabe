/** A signed-in user with the current session. */
export interface Person {
  readonly userId: string
  readonly sessionId: string
  readonly name: string
  readonly email: string
  /** Admins are owners of every project. */
  readonly isOperator: boolean
  /** Start of this session: the sign-in with a password or at a provider. */
  readonly signedInAt: Date
}
