/**
 * Thrown if a move or deletion is rejected before anything is written. The message states the
 * reason.
 */
export class MoveError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MoveError'
  }
}
