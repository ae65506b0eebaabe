/**
 * First lines of the possible `finish` results. A resumed run recognizes a result by its first
 * line.
 */
export const FINISH = {
  accepted: 'Finished.',
  review: 'Please review before finishing.',
  problems: 'Not finished: the change introduces issues.',
  policy: 'Not finished: the change is not allowed.',
  edits: 'Not finished: there are edits.',
  evidence: 'Not finished: the evidence is not valid.',
  leak: 'Not finished: the change contains private text.',
} as const

export type FinishMark = keyof typeof FINISH

export type FinishOutcome = 'changed' | 'no_change' | 'needs_input' | 'impossible'

export interface FinishState {
  /** Outcome that the model was asked to confirm, or null if no confirmation is pending. */
  readonly reviewed: FinishOutcome | null
  /** Number of rejected `finish` calls by reason. */
  readonly refused: {
    readonly problems: number
    readonly policy: number
    readonly edits: number
    readonly leak: number
  }
}

export const NOT_FINISHED: FinishState = { reviewed: null, refused: { problems: 0, policy: 0, edits: 0, leak: 0 } }

/** Returns the mark that a result starts with, or null for any other result. */
export function toFinishMark(result: string): FinishMark | null {
  const first = result.split('\n', 1)[0]
  for (const mark of Object.keys(FINISH) as FinishMark[]) {
    if (FINISH[mark] === first) return mark
  }
  return null
}
