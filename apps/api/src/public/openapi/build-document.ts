import { DASHBOARD_CODES, ERRORS, type RefusalCode } from '../../http/error-codes.ts'
import type { RouteFacts } from './collect-routes.ts'
import { describeParameters } from './describe-parameters.ts'
import { describeResponses, type ResponseDeps } from './describe-responses.ts'
import { describeWebhooks } from './describe-webhooks.ts'
import { RESPONSE_HEADERS } from './headers.ts'
import type { JsonSchema, OpenApiDocument, Operation } from './openapi.ts'
import type { OperationDoc, OperationDocs } from './operation-doc.ts'
import { buildSchemaWriter } from './schema-writer.ts'
import { TAGS } from './tags.ts'

/** The other spelling of the job endpoints, what speaks a protocol of its own, and what browsers load. */
const LEFT_OUT = /^\/(api\/agent\/v2\/|mcp$|v1\/github\/webhook$|reference(\/|$)|assets\/|$|\*)/

/** The API document: what the routes validate by, joined with what people need to know about each. */
export function buildDocument(input: {
  readonly routes: readonly RouteFacts[]
  readonly docs: OperationDocs
  readonly version: string
}): OpenApiDocument {
  const deps: ResponseDeps = { writer: buildSchemaWriter(), shared: new Map() }
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of input.routes) {
    if (LEFT_OUT.test(route.path)) continue
    const doc = input.docs[route.name] ?? toBareDoc(route)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeOperation(deps, route, doc) }
  }
  const rest = { paths, webhooks: describeWebhooks(deps.writer), responses: sortByName(deps.shared) }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Corrigenda',
      version: input.version,
      summary: 'Turns a sentence into a pull request on a documentation repository.',
      description: describeApi(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The instance that serves this document' }],
    tags: TAGS,
    paths,
    webhooks: rest.webhooks,
    components: {
      schemas: keepUsed(deps.writer.components(), rest),
      responses: rest.responses,
      headers: RESPONSE_HEADERS,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A key of one project: `cgd_…`. Make one in the dashboard or with `corrigenda key create`; it is shown once.',
        },
      },
    },
  }
}

/** A route that nobody has written about yet is listed all the same. */
const toBareDoc = (route: RouteFacts): OperationDoc => ({
  operationId: `${route.method.toLowerCase()}${route.path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, '')}`,
  tag: 'Service',
  summary: '',
  description: '',
  scope: 'any',
  answers: Object.fromEntries(Object.keys(route.responses).map((status) => [Number(status), { description: '' }])),
})

function describeOperation(deps: ResponseDeps, route: RouteFacts, doc: OperationDoc): Operation {
  const parameters = describeParameters(deps.writer, route, doc)
  const { body } = route
  return {
    operationId: doc.operationId,
    summary: doc.summary,
    description:
      doc.scope === null || doc.scope === 'any'
        ? doc.description
        : `${doc.description}\n\nThe key needs the scope \`${doc.scope}\`.`,
    tags: [doc.tag],
    security: doc.scope === null ? [] : [{ apiKey: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: {
          'application/json': {
            schema: deps.writer.write(body, 'input'),
            ...(doc.requestExamples && { examples: doc.requestExamples }),
          },
        },
      },
    }),
    responses: describeResponses(deps, route, doc),
  }
}

/** Components that something refers to, directly or through another one. */
function keepUsed(schemas: Readonly<Record<string, JsonSchema>>, from: unknown): Record<string, JsonSchema> {
  const used: Record<string, JsonSchema> = {}
  const visit = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name]
      if (!schema || used[name]) continue
      used[name] = schema
      visit(schema)
    }
  }
  visit(from)
  return sortByName(new Map(Object.entries(used)))
}

const sortByName = <T>(map: ReadonlyMap<string, T>): Record<string, T> =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))

function describeApi(): string {
  const rows = Object.entries(ERRORS)
    .filter(([code]) => !DASHBOARD_CODES.has(code as RefusalCode))
    .sort(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1))
    .map(([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`)
  return `Post a prompt; an agent edits the project's documentation repository in the background and opens a pull request; poll the job, stream its events or let a webhook tell you.

Every answer carries \`x-request-id\`. Every error is \`{"error": "<sentence>"}\` with a stable code in the header \`x-error-code\`. New fields may be added to answers at any time; ignore those you do not know.

The job endpoints also answer below \`/api/agent/v2/{projectId}/job\`, the other spelling of the same API; it is not listed twice.

<details>
<summary>Error codes</summary>

| Code | Status | Meaning |
|---|---|---|
${rows.join('\n')}

</details>
`
}
