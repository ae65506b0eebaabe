/** A signed-in user with the current session. */
export interface SignedInUser {
  readonly userId: string
  readonly sessionId: string
  readonly name: string
  readonly email: string
  /** Admins are owners of every project. */
  readonly isAdmin: boolean
  /** Start of this session: the sign-in with a password or at a provider. */
  readonly signedInAt: Date
}
