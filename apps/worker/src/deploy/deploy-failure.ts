/** A deployment that cannot succeed. The message goes to the caller: what is wrong and what to do, without secrets. */
export class DeployFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DeployFailure'
  }
}
