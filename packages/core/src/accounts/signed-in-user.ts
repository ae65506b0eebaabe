/** A signed-in user and their current session. */
export interface SignedInUser {
  readonly userId: string
  readonly sessionId: string
  readonly name: string
  readonly email: string
  /** Admins are owners of every project. */
  readonly isAdmin: boolean
  /** Time of the sign-in that started this session. */
  readonly signedInAt: Date
}
