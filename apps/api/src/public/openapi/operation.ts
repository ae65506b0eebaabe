import type { ErrorCode, KeyScope } from '@corrigenda/contracts'
import type { z } from 'zod'
import type { RequestHeaderName, ResponseHeaderName } from './headers.ts'
import type { Example } from './openapi.ts'

declare module 'fastify' {
  /**
   * Fields of a public route for the OpenAPI document, in addition to the fields of
   * `@fastify/swagger` (`operationId`, `summary`, `description`, `tags`, `hide`). Validation
   * ignores them.
   */
  interface FastifySchema {
    /** Required scope of the key. `any`: every key is accepted. Null: no key is required. */
    readonly scope?: KeyScope | 'any' | null
    readonly requestHeaders?: readonly RequestHeaderName[]
    readonly requestExamples?: Readonly<Record<string, Example>>
    /** Successful responses by status. */
    readonly answers?: Readonly<Record<number, AnswerDoc>>
    /**
     * Error codes specific to this route. The codes common to all routes of its kind are added
     * automatically.
     */
    readonly errors?: readonly ErrorCode[]
  }
}

export interface AnswerDoc {
  readonly description: string
  readonly headers?: readonly ResponseHeaderName[]
  /** Schema of the JSON body, for a route that does not serialize through `response`. */
  readonly schema?: z.ZodType
  readonly examples?: Readonly<Record<string, Example>>
  /** Bodies in other media types, selected by `Accept`: one example of each. */
  readonly text?: Readonly<Record<string, string>>
}
