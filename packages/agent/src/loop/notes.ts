import type { BudgetCode } from './check-budget.ts'

/**
 * Notes of the harness in a conversation. A resumed run recognizes each note by its first words, so
 * changing them requires a new HARNESS_VERSION.
 */
const FROM_US = 'Note from the service:'

export const BUDGET_WARNING = `${FROM_US} most of the budget for this request is used. Finish what you have begun, check it and call finish soon.`
export const CONTEXT_WARNING = `${FROM_US} this conversation is getting long. Read only what you need and finish soon.`
export const STUCK_NOTE = `${FROM_US} the same call has now given the same result three times. Do something else, or call finish.`
export const CUT_OFF = `${FROM_US} your reply was cut off because it was too long. Go on with smaller steps.`
export const CALL_CUT_OFF =
  'Not run: your reply was cut off before this call was complete. Send it again, with a smaller edit.'
export const GO_ON = `${FROM_US} go on.`
export const NUDGE = `${FROM_US} nobody reads replies without tool calls. Go on with the tools, or call finish with the outcome.`

/**
 * Precedes each message that the caller sent during the run. The next block is that message,
 * verbatim.
 */
export const CALLER_SAYS = `${FROM_US} the person who made the request has added something. It follows in the next block, word for word, and belongs to the request.`

const WRAP_UP = `${FROM_US} the budget for this request is used up`

/** Announces the last turn. Contains the budget's code for a resumed run. */
export function toWrapUp(code: BudgetCode): string {
  return `${WRAP_UP} (${code}). This is your last turn: call finish now. It is final, nothing needs to be confirmed. Edits that are not finished are lost.`
}

export function readWrapUp(text: string): BudgetCode | null {
  if (!text.startsWith(WRAP_UP)) return null
  return (/\((budget_(?:turns|tokens|cost|time))\)/.exec(text)?.[1] as BudgetCode | undefined) ?? null
}
