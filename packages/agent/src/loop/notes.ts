import type { BudgetCode } from './check-budget.ts'

/**
 * Prefix of the harness's notes to the model. A resumed run recognizes the notes by their text, so
 * changing one requires a new HARNESS_VERSION.
 */
const FROM_US = 'Note from the service:'

export const BUDGET_WARNING = `${FROM_US} most of the budget for this request is used. Complete your current edits, check them and call finish soon.`
export const CONTEXT_WARNING = `${FROM_US} this conversation is getting long. Read only the files you need and finish soon.`
export const STUCK_NOTE = `${FROM_US} the same call has returned the same result three times. Try something else, or call finish.`
export const CUT_OFF = `${FROM_US} your reply was cut off because it was too long. Continue with smaller steps.`
export const CALL_CUT_OFF =
  'Not run: your reply was cut off before this call was complete. Send it again, with a smaller edit.'
export const GO_ON = `${FROM_US} continue.`
export const NUDGE = `${FROM_US} replies without tool calls are not read. Continue with the tools, or call finish with the outcome.`

/**
 * Precedes each message that the caller sent during the run. The next block is that message,
 * verbatim.
 */
export const CALLER_SAYS = `${FROM_US} the author of the request has sent another message. The next block contains it verbatim. It is part of the request.`

/** Precedes the prompt in the first message of a conversation. */
export const REQUEST_FOLLOWS = 'The next block contains the request verbatim.'

const WRAP_UP = `${FROM_US} the budget for this request is exhausted`

/**
 * Returns the note that announces the last turn. It contains the budget code, which a resumed run
 * parses.
 */
export function toWrapUp(code: BudgetCode): string {
  return `${WRAP_UP} (${code}). This is your last turn. Call finish now. The call is final and needs no confirmation. Unfinished edits are lost.`
}

export function readWrapUp(text: string): BudgetCode | null {
  if (!text.startsWith(WRAP_UP)) return null
  return (/\((budget_(?:turns|tokens|cost|time))\)/.exec(text)?.[1] as BudgetCode | undefined) ?? null
}
