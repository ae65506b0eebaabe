/** Who is signed in, and where. */
export interface Person {
  readonly userId: string
  readonly sessionId: string
  readonly name: string
  readonly email: string
  /** Owner of every project. */
  readonly isOperator: boolean
}
