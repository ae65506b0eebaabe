import { SUGGESTED_PROMPTS } from '@corrigenda/contracts'
import type { Ending } from './plan.ts'
import { toList } from './words.ts'

/** Ending of a job whose prompt is not recognized. */
export const NOT_UNDERSTOOD: Ending = {
  outcome: 'impossible',
  reason: `The rehearsal model is scripted and does not understand this prompt. A real model does: set ANTHROPIC_API_KEY and start the service again.\n\nThe rehearsal model can do these, among others:\n\n${toList(SUGGESTED_PROMPTS.map(({ prompt }) => prompt))}`,
}
