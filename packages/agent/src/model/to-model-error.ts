import Anthropic from '@anthropic-ai/sdk'
import { badReply, ModelError } from './model-error.ts'
import { type ErrorWords, toAnswerError } from './to-answer-error.ts'

/** Converts an error of the SDK or of the connection to a ModelError. */
export function toModelError(error: unknown, words: ErrorWords): ModelError {
  if (error instanceof ModelError) return error
  if (error instanceof Anthropic.APIConnectionError) {
    const credentials = /acquire Google OAuth|resolve AWS/.exec(error.message)?.[0]
    if (credentials !== undefined) {
      const which = credentials.endsWith('AWS') ? 'AWS' : 'Google'
      // Credentials may come from a network service that is temporarily unavailable.
      return new ModelError('model_unauthorized', `This machine's ${which} credentials could not be loaded.`, {
        retryable: true,
      })
    }
    return new ModelError('model_unavailable', 'The model API is unreachable or closed the connection.', {
      retryable: true,
    })
  }
  if (error instanceof Anthropic.APIError) {
    // For a body that is not JSON, the SDK puts the text into the message, after the status.
    const body = error.error ?? error.message.replace(/^\d+ (status code \(no body\))?/, '')
    return toAnswerError({ status: error.status, body, headers: error.headers }, words)
  }
  if (error instanceof Anthropic.AnthropicError)
    return badReply(words.redact(error.message).slice(0, 200).toWellFormed())
  return new ModelError('model_unavailable', 'The connection to the model API ended before the reply was complete.', {
    retryable: true,
  })
}
