import {
  type CreateAgentJobRequest,
  type CreateAgentSessionRequest,
  EXAMPLE_PROMPT,
  JobRequest,
} from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'

/**
 * Converts a request of version 1 into a job request. One message is the prompt. Several messages
 * become one prompt, each after its role.
 * @throws AppError `invalid_request` if the messages contain no text, or text that no prompt may contain
 */
export function toJobRequest(request: CreateAgentSessionRequest): CreateAgentJobRequest {
  const { messages, branch, asDraft, model, questions } = request
  const [first] = messages
  const prompt =
    messages.length === 1 ? first?.content : messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n')
  if (messages.every(({ content }) => content.trim() === '')) {
    throw new AppError(
      'invalid_request',
      `The messages contain no text. Send at least one, such as {"role": "user", "content": "${EXAMPLE_PROMPT}"}.`,
    )
  }
  const [issue] = JobRequest.shape.prompt.safeParse(prompt).error?.issues ?? []
  if (issue) throw new AppError('invalid_request', `The request is not valid. "messages": ${issue.message}.`)
  return {
    prompt: prompt ?? '',
    ...(branch === undefined ? {} : { branch }),
    ...(asDraft === undefined ? {} : { draft: String(asDraft) === 'true' }),
    ...(model === undefined ? {} : { model }),
    ...(questions === undefined ? {} : { questions }),
  }
}
