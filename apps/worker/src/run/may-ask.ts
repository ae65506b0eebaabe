import { toRunSettings } from '@corrigenda/core/projects'
import type { Claim } from '@corrigenda/core/runs'

/** Returns whether a run may end with a question. */
export const mayAsk = ({ options, settings }: Pick<Claim, 'options' | 'settings'>): boolean =>
  (options.questions ?? toRunSettings(settings).policy.questions) === 'ask'

/** Instruction for the agent of a job that a question fails. */
export const NO_QUESTIONS =
  'The person who made this request cannot answer questions, so needs_input fails this job. If a fact is missing, do the part of the request that does not need it. If nothing can be done without it, finish with impossible and explain what is missing.'
