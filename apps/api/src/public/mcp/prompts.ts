import { ErrorCode, type GetPromptResult, McpError, type Prompt } from '@modelcontextprotocol/sdk/types.js'

interface McpPrompt extends Prompt {
  readonly name: string
  readonly argument: { readonly name: string; readonly description: string }
  readonly toText: (value: string) => string
}

/** Instructions that a user can choose in the client. Each has one required argument. */
const PROMPTS: readonly McpPrompt[] = [
  {
    name: 'document_change',
    title: 'Document a change',
    description: 'Have the documentation updated for a change of the product, and report the pull request.',
    argument: { name: 'change', description: 'What changed, as a sentence, release notes or a diff' },
    toText: (change) =>
      [
        'Have the documentation updated for this change:',
        change,
        'Create a job with create_job. Give it all facts that it needs, because it reads only the prompt, the documentation and the sources of the project. Set idempotencyKey to a new random string, and repeat a failed call with the same one.',
        'Call wait_for_job until the status is not active. If the outcome is needs_input, show me the question in the summary and send my answer with send_message. If the outcome is changed, show me the summary and the link to the pull request. Otherwise, explain the reason.',
      ].join('\n\n'),
  },
  {
    name: 'review_job',
    title: 'Review a job',
    description: 'Read what a job changed, and compare it with what was asked.',
    argument: { name: 'id', description: 'Job id, job_…' },
    toText: (id) =>
      [
        `Review the Corrigenda job ${id}.`,
        'Read it with get_job and its changes with get_changes. Summarize the changes page by page. Name everything that the summary claims and the diff does not contain, and every issue in the checks.',
        'If something should change, suggest a follow-up. Send it with send_message only after I have agreed.',
      ].join('\n\n'),
  },
]

export const listPrompts = (): Prompt[] =>
  PROMPTS.map(({ name, title, description, argument }) => ({
    name,
    title,
    description,
    arguments: [{ ...argument, required: true }],
  }))

/** @throws McpError if the prompt is unknown or its argument is missing */
export function getPrompt(name: string, values: Readonly<Record<string, string>> = {}): GetPromptResult {
  const prompt = PROMPTS.find((one) => one.name === name)
  if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt "${name}".`)
  const value = values[prompt.argument.name]?.trim()
  if (!value) throw new McpError(ErrorCode.InvalidParams, `The argument "${prompt.argument.name}" is missing.`)
  return { messages: [{ role: 'user', content: { type: 'text', text: prompt.toText(value) } }] }
}
