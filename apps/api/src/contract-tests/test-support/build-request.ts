import type { JsonSchema, Parameter } from '../../public/openapi/openapi.ts'
import type { ApiDocument, Call } from './api-document.ts'
import { anyText, anyThing, generateValue } from './generate-value.ts'
import { type ContractApi, fillPath, type PathValues } from './open-contract-api.ts'
import type { Random } from './random.ts'
import type { Sent } from './send.ts'

/** Builds a request for an operation. Most requests follow the document. Some contain errors. */
export function buildRequest(random: Random, api: ContractApi, call: Call, values: PathValues): Sent {
  const headers: Record<string, string> = {}
  const authorization = random.chance(0.9) ? `Bearer ${api.keys.full}` : anyKey(random, api)
  if (authorization !== null) headers.authorization = authorization
  for (const { name, in: location } of call.parameters) {
    if (location !== 'header' || random.chance(0.6)) continue
    const value = random.chance(0.5) ? String(random.below(9)) : toHeader(anyText(random))
    // Varies the key, because most requests with the same key would be rejected with
    // `idempotency_mismatch`.
    headers[name] = name === 'Idempotency-Key' && random.chance(0.8) ? `k-${random.below(50)}` : value
  }
  if (random.chance(0.3)) headers.accept = random.pick(ACCEPTS)
  const body = call.method === 'GET' ? null : anyBody(random, api.parsed, call)
  if (body !== null && random.chance(0.95)) headers['content-type'] = random.pick(MEDIA_TYPES)
  const path = fillPath(call.path, random.chance(0.85) ? values : breakValues(random, values))
  const sent = { method: call.method, path: path + anyQuery(random, api.parsed, call), headers }
  return body === null ? sent : { ...sent, body }
}

const ACCEPTS = [
  '*/*',
  'application/json',
  'text/html',
  'text/x-diff',
  'text/x-diff;q=0',
  'text/event-stream',
  'x;q=x,,;',
]
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8']
const MEDIA_TYPES = [
  ...JSON_TYPES,
  ...JSON_TYPES,
  ...JSON_TYPES,
  ...JSON_TYPES,
  ...JSON_TYPES,
  ...JSON_TYPES,
  ...JSON_TYPES,
  'application/json;charset=latin1',
  'text/plain',
  'x',
  '',
]

function anyKey(random: Random, api: ContractApi): string | null {
  const { without, foreign, elsewhere } = api.keys
  const keys = [...Object.values(without), foreign, elsewhere, `${foreign.slice(0, -1)}x`, 'cgd_', 'x'.repeat(150)]
  return random.pick([null, '', 'Basic eDp5', 'Bearer', ...keys.map((key) => `Bearer ${key}`)])
}

function breakValues(random: Random, values: PathValues): PathValues {
  const broken = { ...values }
  const text = toUnicode(anyText(random)) || 'x'
  broken[random.pick(Object.keys(values))] = text === '.' || text === '..' ? '...' : text
  return broken
}

function anyQuery(random: Random, api: ApiDocument, call: Call): string {
  const parts: string[] = []
  const add = (name: string, value: unknown) =>
    parts.push(`${encodeURIComponent(toUnicode(name))}=${encodeURIComponent(toUnicode(String(value)))}`)
  for (const parameter of call.parameters.filter((p) => p.in === 'query')) {
    if (random.chance(0.5)) add(parameter.name, anyParameter(random, api, parameter))
    if (random.chance(0.03)) add(parameter.name, anyText(random))
  }
  if (random.chance(0.05)) add(anyText(random) || 'x', anyText(random))
  if (random.chance(0.02)) parts.push(random.pick(['%zz', '&&', '=', 'a[b]=c', '__proto__=1']))
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

const anyParameter = (random: Random, api: ApiDocument, { schema }: Parameter): unknown =>
  random.chance(0.7) ? generateValue(random, schema, buildResolver(api)) : anyThing(random)

function anyBody(random: Random, api: ApiDocument, call: Call): string | null {
  const media = call.operation.requestBody?.content['application/json']
  if (!media) return random.pick([null, null, null, '', '{}', 'null', '{"a":', '[1]', anyText(random)])
  if (random.chance(0.05)) return random.pick(['', '{', 'null', '[]', '{"__proto__":1}', '"x"', '\u0000', '{"a":1}{'])
  const value = generateValue(random, media.schema, buildResolver(api)) as Record<string, unknown>
  if (random.chance(0.5)) mutate(random, value)
  return JSON.stringify(value)
}

function mutate(random: Random, value: Record<string, unknown>): void {
  const name = random.pick([...Object.keys(value), anyText(random)])
  if (random.chance(0.3)) delete value[name]
  else value[name] = anyThing(random)
}

const buildResolver =
  (api: ApiDocument) =>
  (schema: JsonSchema): JsonSchema =>
    '$ref' in schema ? (api.resolveReference(schema as { $ref: string }) as JsonSchema) : schema

/** Replaces lone surrogates, which are invalid in a URL. */
const toUnicode = (text: string): string => text.toWellFormed()
/** Replaces characters that are not allowed in a header. */
const toHeader = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')
