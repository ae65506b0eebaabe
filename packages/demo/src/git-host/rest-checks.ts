import type { RestOperation } from './host/operations.ts'

/**
 * Description of the REST API that requests and responses must match. Each `find…` function returns
 * the reason for a mismatch, or null. The demo runs without checks; the testkit passes GitHub's
 * description.
 */
export interface RestChecks {
  documentationUrl(op: RestOperation): string
  /** The values are the raw strings from the URL. */
  findParameterFault(op: RestOperation, kind: 'path' | 'query', values: Readonly<Record<string, string>>): string | null
  findBodyFault(op: RestOperation, body: unknown): string | null
  findAnswerFault(op: RestOperation, status: number, body: unknown): string | null
}
