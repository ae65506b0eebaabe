/** Who is signed in, and where. */
export interface Person {
  readonly userId: string
  readonly sessionId: string
  readonly name: string
  readonly email: string
  /** Owner of every project. */
  readonly isOperator: boolean
  /** When this session began: with a password, or at a provider. */
  readonly signedInAt: Date
}
