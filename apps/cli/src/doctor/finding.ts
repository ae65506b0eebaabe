import { explainError } from '../terminal/explain-error.ts'

export interface Finding {
  readonly subject: string
  readonly state: 'ok' | 'warning' | 'problem'
  readonly text: string
}

/** Converts a check's result or error into a finding. Never throws. */
export async function toFinding(subject: string, check: () => unknown): Promise<Finding> {
  try {
    return { subject, state: 'ok', text: String(await check()) }
  } catch (error) {
    return { subject, state: 'problem', text: explainError(error) }
  }
}
