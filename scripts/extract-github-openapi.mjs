// Extracts from GitHub's published OpenAPI document the operations that the local Git host serves.
//
//   npm pack @octokit/openapi@23.0.2
//   tar xzf octokit-openapi-23.0.2.tgz package/generated/api.github.com.json
//   node scripts/extract-github-openapi.mjs package/generated/api.github.com.json
//
// Writes packages/testkit/fixtures/github-openapi.json: { source, operations, definitions }. Every
// schema is plain JSON Schema draft 7 (`nullable` becomes a `null` type), and `$ref` points into
// `definitions`. Prose and examples are omitted. Only the parts used for validation are kept.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const OPERATIONS = [
  'actions/create-workflow-dispatch',
  'actions/get-workflow',
  'actions/get-workflow-run',
  'actions/list-workflow-runs',
  'actions/list-workflow-runs-for-repo',
  'apps/create-from-manifest',
  'apps/create-installation-access-token',
  'apps/get-authenticated',
  'apps/get-repo-installation',
  'checks/list-for-ref',
  'git/get-tree',
  'issues/add-labels',
  'issues/create-comment',
  'issues/list-comments',
  'issues/update-comment',
  'pulls/create',
  'pulls/create-reply-for-review-comment',
  'pulls/get',
  'pulls/list',
  'pulls/list-commits',
  'pulls/list-review-comments',
  'pulls/list-reviews',
  'pulls/request-reviewers',
  'pulls/update',
  'pulls/update-review-comment',
  'repos/compare-commits-with-basehead',
  'repos/create-dispatch-event',
  'repos/get',
  'repos/get-branch',
  'repos/get-collaborator-permission-level',
  'repos/get-combined-status-for-ref',
  'repos/get-content',
  'repos/list-commits',
  'users/get-authenticated',
  'users/get-by-username',
]

const ANNOTATIONS = new Set([
  'description',
  'title',
  'example',
  'examples',
  'externalDocs',
  'deprecated',
  'readOnly',
  'writeOnly',
  'x-github-breaking-changes',
  'x-multi-segment',
  'xml',
])
const JSON_TYPE = 'application/json'

const [input] = process.argv.slice(2)
if (!input) {
  console.error('Usage: node scripts/extract-github-openapi.mjs <path to api.github.com.json>')
  process.exit(2)
}
const document = JSON.parse(readFileSync(input, 'utf8'))

const definitions = {}

function resolve(node) {
  if (!node?.$ref) return node
  const target = node.$ref
    .replace('#/', '')
    .split('/')
    .reduce((value, key) => value[key], document)
  return resolve(target)
}

function toJsonSchema(schema) {
  if (Array.isArray(schema)) return schema.map(toJsonSchema)
  if (schema === null || typeof schema !== 'object') return schema
  if (schema.$ref) return { $ref: addDefinition(schema.$ref) }
  const { nullable, ...rest } = schema
  const result = {}
  for (const [key, value] of Object.entries(rest)) {
    if (key === 'properties') {
      result.properties = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toJsonSchema(item)]))
    } else if (key === 'enum' || key === 'required' || key === 'default') {
      if (key !== 'default') result[key] = value
    } else if (!ANNOTATIONS.has(key)) {
      result[key] = toJsonSchema(value)
    }
  }
  return nullable ? orNull(result) : result
}

function orNull(schema) {
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (alternatives || schema.$ref || !schema.type) return { anyOf: [schema, { type: 'null' }] }
  const types = [schema.type].flat()
  return {
    ...schema,
    type: [...types, 'null'],
    ...(schema.enum && !schema.enum.includes(null) ? { enum: [...schema.enum, null] } : {}),
  }
}

function addDefinition(ref) {
  const name = ref.split('/').at(-1)
  if (!(name in definitions)) {
    definitions[name] = {} // breaks cycles before the schema is walked
    definitions[name] = toJsonSchema(resolve({ $ref: ref }))
  }
  return `#/definitions/${name}`
}

function extractResponse(response) {
  const schema = resolve(response).content?.[JSON_TYPE]?.schema
  return schema ? toJsonSchema(schema) : null
}

function extractOperation(method, path, operation) {
  const parameters = (operation.parameters ?? []).map(resolve).map((parameter) => ({
    name: parameter.name,
    in: parameter.in,
    required: parameter.required === true,
    ...(parameter['x-multi-segment'] ? { multiSegment: true } : {}),
    schema: toJsonSchema(parameter.schema),
  }))
  const body = resolve(operation.requestBody)
  const bodySchema = body?.content?.[JSON_TYPE]?.schema
  return {
    method: method.toUpperCase(),
    path,
    parameters,
    ...(bodySchema ? { body: { required: body.required === true, schema: toJsonSchema(bodySchema) } } : {}),
    responses: Object.fromEntries(
      Object.entries(operation.responses)
        .filter(([status]) => status !== '304')
        .map(([status, response]) => [status, extractResponse(response)]),
    ),
  }
}

const operations = {}
for (const [path, methods] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    if (OPERATIONS.includes(operation.operationId)) {
      operations[operation.operationId] = extractOperation(method, path, operation)
    }
  }
}
const missing = OPERATIONS.filter((id) => !(id in operations))
if (missing.length > 0) throw new Error(`The document does not contain: ${missing.join(', ')}.`)

const sorted = (record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
const output = fileURLToPath(new URL('../packages/testkit/fixtures/github-openapi.json', import.meta.url))
const source = `${document.info.title} ${document.info.version}, OpenAPI ${document.openapi}`
const fixture = { source, operations: sorted(operations), definitions: sorted(definitions) }
writeFileSync(output, `${JSON.stringify(fixture, null, 2)}\n`)
execFileSync(fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url)), ['format', '--write', output])
console.log(`${output}: ${Object.keys(operations).length} operations, ${Object.keys(definitions).length} definitions`)
