import type { Questions } from '@corrigenda/contracts'

/** What a question of the agent does, for a select field. */
export const QUESTIONS: readonly { readonly value: Questions; readonly label: string }[] = [
  { value: 'ask', label: 'End with the question' },
  { value: 'fail', label: 'Fail the job' },
]
