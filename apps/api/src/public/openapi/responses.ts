import { ERRORS, ErrorBody, type ErrorCode, type KeyScope } from '@corrigenda/contracts'
import type { FastifySchema } from 'fastify'
import type { z } from 'zod'
import type { RequestHeaderName, ResponseHeaderName } from './headers.ts'
import { toJsonSchema } from './json-schema.ts'
import type { Example, JsonSchema, MediaType, Reference, Response } from './openapi.ts'

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

/** Error statuses that can be temporary. Their responses can have a Retry-After header. */
const RETRYABLE: ReadonlySet<number> = new Set([409, 429, 503])

/**
 * Returns every response of a route, by status.
 * @param schemas JSON Schemas of the bodies, by status
 * @param shared error responses, by component name; those of this route are added
 */
export function describeResponses(
  route: FastifySchema & { readonly method: string },
  schemas: Readonly<Record<string, JsonSchema | undefined>>,
  shared: Map<string, Response>,
): Record<string, Response | Reference> {
  const responses: Record<string, Response | Reference> = {}
  for (const [status, answer] of Object.entries(route.answers ?? {})) {
    // 204 and 304 have no body.
    responses[status] = describeAnswer(answer, status === '204' || status === '304' ? undefined : schemas[status])
  }
  const codes = [...listErrorCodes(route)].sort()
  for (const status of new Set(codes.map((code) => ERRORS[code].status))) {
    const own = codes.filter((code) => ERRORS[code].status === status)
    const name = own.map((code) => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())).join('Or')
    if (!shared.has(name)) shared.set(name, describeErrors(status, own))
    responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return responses
}

function describeAnswer(answer: AnswerDoc, schema: JsonSchema | undefined): Response {
  const content: Record<string, MediaType> = {}
  if (schema) content['application/json'] = { schema, ...(answer.examples && { examples: answer.examples }) }
  for (const [type, value] of Object.entries(answer.text ?? {})) {
    content[type] = { schema: { type: 'string' }, examples: { text: { value } } }
  }
  return {
    description: answer.description,
    headers: referToHeaders(['x-request-id', ...(answer.headers ?? [])]),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

/**
 * Returns every error code that a route can return: its specific codes, and those that follow from
 * its inputs.
 */
function listErrorCodes(route: FastifySchema & { readonly method: string }): ReadonlySet<ErrorCode> {
  const { scope = 'any', params, querystring, body, requestHeaders, errors = [] } = route
  const codes = new Set<ErrorCode>(errors)
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code)
  }
  add('too_many_requests')
  if (scope !== null) {
    add('unauthorized', 'service_unavailable', 'address_not_allowed')
    if (params) add('not_found')
    if (scope !== 'any') add('scope_missing')
  }
  if (params) add('invalid_url', 'url_too_long')
  if (querystring || body || requestHeaders?.includes('Idempotency-Key')) add('invalid_request')
  if (route.method !== 'get' && scope !== null) add('outcome_unknown')
  // Clients can send a body to any of these routes, even if the route does not expect one.
  if (route.method !== 'get') add('invalid_request', 'invalid_json', 'body_too_large', 'unsupported_media_type')
  return codes
}

function describeErrors(status: number, codes: readonly ErrorCode[]): Response {
  const headers: ResponseHeaderName[] = ['x-request-id']
  if (status === 401) headers.push('www-authenticate')
  if (RETRYABLE.has(status)) headers.push('retry-after')
  if (codes.includes('quota_exceeded')) headers.push('ratelimit-policy', 'ratelimit')
  if (codes.includes('duplicate_job')) headers.push('x-job-id')
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: {
      'x-error-code': {
        description: 'Stable, machine-readable error code.',
        required: true,
        schema: { type: 'string', enum: codes },
      },
      ...referToHeaders(headers),
    },
    content: {
      'application/json': {
        schema: toJsonSchema(ErrorBody),
        examples: Object.fromEntries(codes.map((code) => [code, { value: { error: ERRORS[code].meaning } }])),
      },
    },
  }
}

const referToHeaders = (names: readonly ResponseHeaderName[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

interface AnswerDoc {
  readonly description: string
  readonly headers?: readonly ResponseHeaderName[]
  /** Schema of the JSON body, for a route that does not serialize through `response`. */
  readonly schema?: z.ZodType
  readonly examples?: Readonly<Record<string, Example>>
  /** Bodies in other media types, selected by `Accept`: one example of each. */
  readonly text?: Readonly<Record<string, string>>
}
