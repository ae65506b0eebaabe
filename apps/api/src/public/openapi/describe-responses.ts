import { ErrorBody } from '@corrigenda/contracts'
import { ERRORS, type RefusalCode } from '../../http/error-codes.ts'
import type { RouteFacts } from './collect-routes.ts'
import type { ResponseHeaderName } from './headers.ts'
import { listErrorCodes } from './list-error-codes.ts'
import type { MediaType, Reference, Response } from './openapi.ts'
import type { AnswerDoc, OperationDoc } from './operation-doc.ts'
import type { SchemaWriter } from './schema-writer.ts'

/** Refusals that may pass by themselves. */
const MAY_PASS: ReadonlySet<number> = new Set([409, 429, 503])

export interface ResponseDeps {
  readonly writer: SchemaWriter
  /** Error answers that operations share; filled while they are described. */
  readonly shared: Map<string, Response>
}

/** Every documented answer of a route, by status. */
export function describeResponses(
  deps: ResponseDeps,
  route: RouteFacts,
  doc: OperationDoc,
): Record<string, Response | Reference> {
  const responses: Record<string, Response | Reference> = {}
  for (const [status, answer] of Object.entries(doc.answers)) {
    responses[status] = describeAnswer(deps.writer, route, status, answer)
  }
  const codes = [...listErrorCodes(route, doc)].sort()
  for (const status of new Set(codes.map((code) => ERRORS[code].status))) {
    responses[status] = referToErrors(
      deps,
      status,
      codes.filter((code) => ERRORS[code].status === status),
    )
  }
  return responses
}

function describeAnswer(writer: SchemaWriter, route: RouteFacts, status: string, answer: AnswerDoc): Response {
  const schema = answer.schema ?? route.responses[status]
  const content: Record<string, MediaType> = {}
  // 204 and 304 have no body, whatever their schema is called.
  if (schema && status !== '204' && status !== '304') {
    content['application/json'] = {
      schema: writer.write(schema, 'output'),
      ...(answer.examples && { examples: answer.examples }),
    }
  }
  for (const [type, value] of Object.entries(answer.text ?? {})) {
    content[type] = { schema: { type: 'string' }, examples: { text: { value } } }
  }
  return {
    description: answer.description,
    headers: referToHeaders(['x-request-id', ...(answer.headers ?? [])]),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

/** One component for each set of codes, so that the document says everything once. */
function referToErrors({ writer, shared }: ResponseDeps, status: number, codes: readonly RefusalCode[]): Reference {
  const name = codes.map((code) => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())).join('Or')
  if (!shared.has(name)) shared.set(name, describeErrors(writer, status, codes))
  return { $ref: `#/components/responses/${name}` }
}

function describeErrors(writer: SchemaWriter, status: number, codes: readonly RefusalCode[]): Response {
  const headers: ResponseHeaderName[] = ['x-request-id']
  if (status === 401) headers.push('www-authenticate')
  if (MAY_PASS.has(status)) headers.push('retry-after')
  if (codes.includes('quota_exceeded')) headers.push('ratelimit-policy', 'ratelimit')
  if (codes.includes('duplicate_job')) headers.push('x-job-id')
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: {
      'x-error-code': {
        description: 'The reason, for programs. Stable.',
        required: true,
        schema: { type: 'string', enum: codes },
      },
      ...referToHeaders(headers),
    },
    content: {
      'application/json': {
        schema: writer.write(ErrorBody, 'output'),
        examples: Object.fromEntries(codes.map((code) => [code, { value: { error: ERRORS[code].meaning } }])),
      },
    },
  }
}

const referToHeaders = (names: readonly ResponseHeaderName[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
