import { hashText } from '../format/hash-text.ts'

/** Identifies a request that can have arrived at the service although its response was lost. */
export interface Submission {
  /** Value of the `Idempotency-Key` header. */
  readonly key: string
  /** Hash of the request's body. */
  readonly body: string
}

/** Returns the known submission if it has the same body, or a new one. */
export function toSubmission(known: Submission | null, body: unknown): Submission {
  const hash = hashText(JSON.stringify(body))
  return known?.body === hash ? known : { key: toRandomKey(), body: hash }
}

/** `crypto.randomUUID` requires HTTPS. */
export const toRandomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
