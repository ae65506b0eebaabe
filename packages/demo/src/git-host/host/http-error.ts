/** One entry of GitHub's `errors` array. */
export interface FieldError {
  readonly resource: string
  readonly code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'unprocessable' | 'custom'
  readonly field?: string
  readonly message?: string
}

/** An error response for the client. `message` is public. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly errors: readonly FieldError[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    options: { errors?: readonly FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.errors = options.errors
    this.headers = options.headers ?? {}
  }
}

export const notFound = (): HttpError => new HttpError(404, 'Not Found')

export const validationFailed = (...errors: FieldError[]): HttpError =>
  new HttpError(422, 'Validation Failed', { errors })
