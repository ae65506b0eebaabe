import { AppError } from '../base/errors.ts'

/**
 * @param allowed models that jobs may use; null for every model
 * @throws AppError `invalid_request` for another model
 */
export function refuseModel(model: string, allowed: readonly string[] | null | undefined): void {
  if (allowed == null || allowed.includes(model)) return
  throw new AppError(
    'invalid_request',
    `The model ${JSON.stringify(model)} is not allowed. Use ${allowed.join(', ')}, or omit the model.`,
  )
}
