import type { RestOperation } from './host/operations.ts'

/**
 * A description of the REST API that requests and answers must fit. Each `find…` function returns the reason why the
 * value does not fit, or null. The demo runs without one; the testkit passes GitHub's.
 */
export interface RestChecks {
  documentationUrl(op: RestOperation): string
  /** Values are as they stand in the address. */
  findParameterFault(op: RestOperation, kind: 'path' | 'query', values: Readonly<Record<string, string>>): string | null
  findBodyFault(op: RestOperation, body: unknown): string | null
  findAnswerFault(op: RestOperation, status: number, body: unknown): string | null
}
