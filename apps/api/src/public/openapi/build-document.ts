import { VERSION } from '@corrigenda/core/base'
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import fastify, { type FastifySchema, type RouteOptions } from 'fastify'
import type { z } from 'zod'
import { REQUEST_HEADERS, RESPONSE_HEADERS } from './headers.ts'
import { addComponents, keepUsedComponents, toRouteSchema } from './json-schema.ts'
import type { JsonSchema, OpenApiDocument, Operation, Parameter, Response } from './openapi.ts'
import { describeResponses } from './responses.ts'
import { describeWebhooks } from './webhooks.ts'
import './responses.ts'
import { ERRORS, type ErrorFact } from '@corrigenda/contracts'

/** Descriptions of query parameters, which are the same for every list. */
const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  status: 'Returns only entries with this status.',
  outcome: 'Returns only jobs with this outcome.',
  q: 'Text to find in prompts, titles and summaries, ignoring case.',
  createdAfter: 'Returns only jobs created after this time (ISO 8601).',
  createdBefore: 'Returns only jobs created before this time (ISO 8601).',
  limit: 'Maximum number of entries.',
  cursor: '`nextCursor` of the previous page, unchanged.',
  skip: 'Number of entries to omit before the first one.',
  take: 'Maximum number of entries.',
  after: 'The `seq` of the last event that you have. Returns the events after it.',
  named: 'For a stream: `false` omits the `event` field, so that an `EventSource` passes every event to `onmessage`.',
  workers: '`1` also requires that a worker is running. Without one, the response is 503.',
  token: 'A job token, for an `EventSource` in a browser, which cannot send headers. API keys are not accepted here.',
}

/** Operation groups, in the order shown on the reference page. */
const TAGS = [
  { name: 'Jobs', description: 'Create a job, follow its progress and read its pull request.' },
  {
    name: 'Jobs, version 1',
    description: 'Deprecated. The job endpoints of version 1 of the hosted API, for clients that still use them.',
  },
  { name: 'Deployments', description: 'Publish the documentation and read the result.' },
  { name: 'Webhooks', description: 'Receive events about jobs and deployments instead of polling.' },
  { name: 'Service', description: 'Read the properties of the API key and the health of the service.' },
] as const

/** The `info` section of the document. */
const INFO = {
  title: 'Corrigenda',
  summary: 'Turns a sentence into a pull request on a documentation repository.',
  description: describeApi(),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

/** The alias path of the job endpoints, which is omitted from the document. */
const ALIAS = '/api/agent/v2/'

type Head = NonNullable<FastifyDynamicSwaggerOptions['openapi']>
type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>
type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>

/**
 * Builds the OpenAPI document of routes. Omits routes with `hide: true` in their schema.
 * @param routes in the order of the document
 */
export async function buildDocument(routes: readonly RouteOptions[]): Promise<object> {
  // The library collects the routes of an application, so they are added to one that only it reads.
  const app = fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => String)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: { ...INFO, version: VERSION },
      servers: [{ url: '/', description: 'The instance that serves this document' }],
      tags: [...TAGS],
      webhooks: describeWebhooks(),
      components: {
        headers: RESPONSE_HEADERS,
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API key for one project: `cgd_…`. Create a key in the dashboard or with `corrigenda key create`. It is shown only once.',
          },
        },
      },
    } as unknown as Head,
    convertConstToEnum: false,
    transform,
    transformObject,
  })
  for (const { method, url, schema } of routes) {
    app.route({ method, url, ...(schema && { schema }), handler: async () => {} })
  }
  await app.ready()
  return app.swagger()
}

/**
 * Passes the route's own schema on to `transformObject`, which describes the parts that the library
 * does not support.
 */
const transform: Transform = (input) => {
  const { schema, url } = input
  if (schema?.hide || url.startsWith(ALIAS)) return { schema: { hide: true }, url }
  const { scope = 'any', requestHeaders = [], answers = {}, description = '' } = schema ?? {}
  const bodies = Object.entries(answers).flatMap(([status, answer]) => (answer.schema ? [[status, answer.schema]] : []))
  const response = { ...Object.fromEntries(bodies), ...(schema?.response as Record<string, z.ZodType> | undefined) }
  const { schema: converted } = toRouteSchema({ ...input, schema: { ...schema, response } } as typeof input)
  const headers = requestHeaders.map((name) => {
    const { description: text, schema: type } = REQUEST_HEADERS[name]
    return [name, { ...type, description: text }]
  })
  return {
    url,
    schema: {
      ...converted,
      ...(headers.length > 0 && { headers: { type: 'object', properties: Object.fromEntries(headers) } }),
      description:
        scope === null || scope === 'any' ? description : `${description}\n\nThe key needs the scope \`${scope}\`.`,
      security: scope === null ? [] : [{ apiKey: [] }],
      'x-route': schema,
    } as FastifySchema,
  }
}

type OpenOperation = Operation & { readonly 'x-route': FastifySchema }

/** Adds examples, response headers, shared error responses and the components that are used. */
const transformObject: TransformObject = (input) => {
  const document = addComponents(input) as unknown as OpenApiDocument
  const shared = new Map<string, Response>()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [path, methods] of Object.entries(document.paths)) {
    paths[path] = {}
    for (const [method, operation] of Object.entries(methods)) {
      paths[path][method] = finishOperation(operation as OpenOperation, method, shared)
    }
  }
  const responses = Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1)))
  const { components, webhooks, ...head } = document
  return keepUsedComponents({ ...head, paths, webhooks, components: { ...components, responses } }) as object
}

function finishOperation(
  { 'x-route': route, ...operation }: OpenOperation,
  method: string,
  shared: Map<string, Response>,
): Operation {
  const schemas: Record<string, JsonSchema | undefined> = {}
  for (const [status, response] of Object.entries(operation.responses)) {
    if ('content' in response) schemas[status] = response.content?.['application/json']?.schema
  }
  const body = operation.requestBody?.content['application/json']
  return {
    ...operation,
    ...(operation.parameters && {
      parameters: LOCATIONS.flatMap((location) => listParameters(operation.parameters ?? [], location)),
    }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { ...body, ...(route.requestExamples && { examples: route.requestExamples }) },
        },
      },
    }),
    responses: describeResponses({ ...route, method }, schemas, shared),
  }
}

const LOCATIONS = ['path', 'query', 'header'] as const

/**
 * Returns the parameters in one location. Adds the descriptions of query parameters from
 * QUERY_PARAMETERS, because the library drops descriptions next to references.
 */
function listParameters(parameters: readonly Parameter[], location: (typeof LOCATIONS)[number]): Parameter[] {
  const listed = parameters.filter((parameter) => parameter.in === location)
  if (location !== 'query') return listed
  return listed.map((parameter) => ({ ...parameter, description: QUERY_PARAMETERS[parameter.name] ?? '' }))
}

function describeApi(): string {
  const rows = Object.entries<ErrorFact>(ERRORS)
    .filter(([, { isDashboardOnly }]) => !isDashboardOnly)
    .sort(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1))
    .map(([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`)
  return `Create a job with a prompt. An agent edits the project's documentation repository in the background and opens a pull request. Poll the job, stream its events, or receive webhooks.

Every response has the \`x-request-id\` header. Every error response is \`{"error": "<sentence>"}\`, with a stable code in the \`x-error-code\` header. New fields may be added to responses at any time. Ignore unknown fields.

The job endpoints are also available at \`/api/agent/v2/{projectId}/job\`. These aliases are not listed separately.

<details>
<summary>Error codes</summary>

| Code | Status | Meaning |
|---|---|---|
${rows.join('\n')}

</details>
`
}
