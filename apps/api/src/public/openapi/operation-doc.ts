import type { KeyScope } from '@corrigenda/contracts'
import type { z } from 'zod'
import type { RefusalCode } from '../../http/error-codes.ts'
import type { RequestHeaderName, ResponseHeaderName } from './headers.ts'
import type { Example } from './openapi.ts'
import type { TagName } from './tags.ts'

/** What people need to know about an operation beyond the schemas that its route already has. */
export interface OperationDoc {
  readonly operationId: string
  readonly tag: TagName
  readonly summary: string
  /** Markdown. */
  readonly description: string
  /** Scope that the key needs; `any` for every key, null when no key is needed. */
  readonly scope: KeyScope | 'any' | null
  readonly requestHeaders?: readonly RequestHeaderName[]
  readonly requestExamples?: Readonly<Record<string, Example>>
  readonly answers: Readonly<Record<number, AnswerDoc>>
  /** Codes of its own; those that every operation of its kind may answer are added. */
  readonly errors?: readonly RefusalCode[]
}

export interface AnswerDoc {
  readonly description: string
  readonly headers?: readonly ResponseHeaderName[]
  /** Schema of the JSON body, for routes that do not declare one themselves. */
  readonly schema?: z.ZodType
  readonly examples?: Readonly<Record<string, Example>>
  /** Answers in other media types, which `Accept` asks for: an example of each. */
  readonly text?: Readonly<Record<string, string>>
}

/** By route, as `GET /v2/agent/{projectId}/job/{id}`. */
export type OperationDocs = Readonly<Record<string, OperationDoc>>
