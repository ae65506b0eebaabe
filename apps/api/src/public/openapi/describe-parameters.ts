import type { RouteFacts } from './collect-routes.ts'
import { REQUEST_HEADERS } from './headers.ts'
import type { JsonSchema, Parameter } from './openapi.ts'
import type { OperationDoc } from './operation-doc.ts'
import type { SchemaWriter } from './schema-writer.ts'

interface Facts {
  readonly description: string
  readonly example?: unknown
}

/** What a parameter means, where its schema does not say so itself; by tag and name when the name alone means many things. */
const KNOWN: Readonly<Record<string, Facts>> = {
  projectId: { description: 'The project. A key belongs to exactly one.', example: 'prj_01kgs3v2n8q4r6t8w0y2a4c6e8' },
  'Jobs id': { description: 'The job.', example: 'job_01kgs3v2n8q4r6t8w0y2a4c6e8' },
  'Webhooks id': { description: 'The webhook.', example: 'whe_01kgs3v2n8q4r6t8w0y2a4c6e8' },
  statusId: { description: 'What triggering a deployment answered.', example: 'dep_01kgs3v2n8q4r6t8w0y2a4c6e8' },
  deliveryId: { description: 'The delivery.', example: 'whd_01kgs3v2n8q4r6t8w0y2a4c6e8' },
  status: { description: 'Only those with this status.' },
  outcome: { description: 'Only those that ended so.' },
  q: { description: 'Text to find in prompts, titles and summaries, whatever its case.' },
  createdAfter: { description: 'Only those created after this time (ISO 8601).' },
  createdBefore: { description: 'Only those created before this time (ISO 8601).' },
  limit: { description: 'How many at most.' },
  cursor: { description: '`nextCursor` of the page before, unchanged.' },
  after: { description: 'The `seq` of the last event you have. Those behind it are answered.' },
}

/** Path, query and header parameters of a route. */
export function describeParameters(writer: SchemaWriter, route: RouteFacts, doc: OperationDoc): Parameter[] {
  const path = toProperties(route.params && writer.write(route.params, 'input'), writer)
  const query = toProperties(route.query && writer.write(route.query, 'input'), writer)
  return [
    ...path.map(({ name, schema }) => describe(doc, name, 'path', true, schema)),
    ...query.map(({ name, schema, required }) => describe(doc, name, 'query', required, schema)),
    ...(doc.requestHeaders ?? []).map(
      (name): Parameter => ({ name, in: 'header', required: false, ...REQUEST_HEADERS[name] }),
    ),
  ]
}

function describe(
  doc: OperationDoc,
  name: string,
  place: 'path' | 'query',
  required: boolean,
  given: JsonSchema,
): Parameter {
  const { description, examples, ...schema } = given
  const known = KNOWN[`${doc.tag} ${name}`] ?? KNOWN[name]
  const [example = known?.example] = Array.isArray(examples) ? examples : []
  return {
    name,
    in: place,
    description: String(description ?? known?.description ?? ''),
    required,
    schema,
    // The page that tries requests out fills examples in; in a filter they would hide what is there.
    ...(place === 'path' && example !== undefined && { example }),
  }
}

function toProperties(
  schema: JsonSchema | null,
  writer: SchemaWriter,
): { name: string; required: boolean; schema: JsonSchema }[] {
  if (!schema) return []
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref))?.[1]
  const { properties = {}, required = [] } = (name ? writer.components()[name] : schema) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([key, value]) => ({
    name: key,
    required: required.includes(key),
    schema: value,
  }))
}
