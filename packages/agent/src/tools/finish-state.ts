/** How a `finish` call ended, written as the first line of its result so that a resumed run can read it back. */
export const FINISH = {
  accepted: 'Finished.',
  review: 'Please review before finishing.',
  problems: 'Not finished: the change introduces problems.',
  policy: 'Not finished: the change is not allowed.',
  edits: 'Not finished: there are edits.',
} as const

export type FinishMark = keyof typeof FINISH

export type FinishOutcome = 'changed' | 'no_change' | 'needs_input' | 'impossible'

export interface FinishState {
  /** Outcome the model was asked to confirm, with nothing written since; null when none is. */
  readonly reviewed: FinishOutcome | null
  /** How often a finish was refused for each reason. */
  readonly refused: { readonly problems: number; readonly policy: number; readonly edits: number }
}

export const NOT_FINISHED: FinishState = { reviewed: null, refused: { problems: 0, policy: 0, edits: 0 } }

/** Which mark a result begins with; null when it is another error. */
export function toFinishMark(result: string): FinishMark | null {
  const first = result.split('\n', 1)[0]
  for (const mark of ['accepted', 'review', 'problems', 'policy', 'edits'] as const) {
    if (FINISH[mark] === first) return mark
  }
  return null
}
