/**
 * Error for a deployment that cannot succeed. The message is for the caller: it states the problem
 * and the solution, without secrets.
 */
export class DeployFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DeployFailure'
  }
}
