import { useRef } from 'react'
import { type Submission, toSubmission } from '../api/submission.ts'
import { type DraftOptions, useDraft } from './draft-store.ts'

const OPTIONS: DraftOptions<Submission | null> = {
  empty: null,
  read: (stored) => (isSubmission(stored) ? { key: stored.key, body: stored.body } : null),
  group: { prefix: 'sent:', max: 50 },
}

/**
 * Provides the idempotency key of a request. Sending the request again after its response was lost,
 * also after a reload, has no second effect.
 * @param name identifies the form or the action in the project
 */
export function useSubmission(name: string) {
  const [known, keep] = useDraft(`sent:${name}`, OPTIONS)
  const latest = useRef(known)
  latest.current = known
  return {
    /** Returns the key, which is the same until `end` is called or the body changes. */
    begin(body: unknown): string {
      latest.current = toSubmission(latest.current, body)
      keep(latest.current)
      return latest.current.key
    },
    /** Forgets the key, because the request has succeeded. */
    end(): void {
      latest.current = null
      keep(null)
    },
  }
}

const isSubmission = (stored: unknown): stored is Submission =>
  stored !== null &&
  typeof stored === 'object' &&
  'key' in stored &&
  typeof stored.key === 'string' &&
  'body' in stored &&
  typeof stored.body === 'string'
