/**
 * Reports a deployment that cannot succeed. The caller sees the message: it states the problem and
 * the solution, without secrets.
 */
export class DeployFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DeployFailure'
  }
}
