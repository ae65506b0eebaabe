import { setTimeout as sleep } from 'node:timers/promises'
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

/**
 * Repeats the checks and passes each finding that is new or has changed, and each one that has
 * disappeared, until the signal aborts. The first round passes all findings. Returns the last ones.
 */
export async function watchFindings(
  diagnose: () => Promise<readonly Finding[]>,
  { everyMs, signal, onChange }: WatchOptions,
): Promise<readonly Finding[]> {
  let before: readonly Finding[] = []
  while (!signal.aborted) {
    const now = await diagnose()
    const isIn = (list: readonly Finding[], one: Finding) =>
      list.some((other) => other.subject === one.subject && other.state === one.state && other.text === one.text)
    const subjects = new Set(now.map(({ subject }) => subject))
    onChange({
      changed: now.filter((finding) => !isIn(before, finding)),
      gone: before.filter(({ subject }) => !subjects.has(subject)),
    })
    before = now
    await sleep(everyMs, undefined, { signal }).catch(() => {})
  }
  return before
}

export interface WatchOptions {
  readonly everyMs: number
  readonly signal: AbortSignal
  onChange(change: { readonly changed: readonly Finding[]; readonly gone: readonly Finding[] }): void
}
