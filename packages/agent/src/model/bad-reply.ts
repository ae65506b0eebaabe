import { ModelError } from './model-error.ts'

/** Returns the error for a reply that cannot be used. `reason` completes a sentence. */
export function badReply(reason: string): ModelError {
  return new ModelError('model_bad_reply', `The model API sent a reply that cannot be used: ${reason}.`, {
    retryable: true,
  })
}
