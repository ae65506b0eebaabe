/**
 * Error for a deployment that cannot succeed. The message is shown to the caller. It states the
 * problem and the fix, and contains no secrets.
 */
export class DeployFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DeployFailure'
  }
}
