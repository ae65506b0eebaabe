/** A prompt that works in the sample repository, and how a job with it ends. */
export interface SuggestedPrompt {
  readonly prompt: string
  readonly outcome: 'changed' | 'needs_input' | 'no_changes'
}

/** The prompt in commands and error messages. */
export const EXAMPLE_PROMPT = 'Fix the typos on the start page'

/**
 * Precedes the example prompts in the question with which the rehearsal model ends an unknown request.
 * The dashboard shows buttons in place of the rest of the question.
 */
export const REHEARSAL_CAN_DO = 'The rehearsal model can do these, among others:'

/**
 * Example prompts of the demo. The dashboard, the documentation and the answers of the rehearsal
 * model use this list, and a test runs each one.
 */
export const SUGGESTED_PROMPTS: readonly SuggestedPrompt[] = [
  { prompt: EXAMPLE_PROMPT, outcome: 'changed' },
  { prompt: 'Document the new --json flag', outcome: 'changed' },
  { prompt: 'Fix the broken links', outcome: 'changed' },
  { prompt: 'Rename the doctor command to check in the guides and the troubleshooting pages', outcome: 'changed' },
  { prompt: 'Add a page about rate limits', outcome: 'changed' },
  { prompt: 'Move the secrets page to guides/managing-secrets', outcome: 'changed' },
  { prompt: 'Update the documentation for our recent pushes', outcome: 'changed' },
  { prompt: 'Make the documentation better', outcome: 'needs_input' },
  { prompt: 'What does this repository document?', outcome: 'no_changes' },
]
