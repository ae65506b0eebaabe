import { expect, test } from 'vitest'
import type { Call } from './test-support/api-document.ts'
import { checkAnswer } from './test-support/check-answer.ts'
import { type ContractApi, fillPath, openContractApi, type PathValues } from './test-support/open-contract-api.ts'

interface Variant {
  readonly name: string
  readonly status: number
  readonly values?: PathValues
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const json = { 'content-type': 'application/json' }

test('every operation returns the documented responses to valid and invalid requests', {
  timeout: 300_000,
}, async () => {
  const api = await openContractApi()
  const problems: string[] = []
  const seen = new Map<string, Set<number>>()
  let calls = 0
  for (const call of api.parsed.calls) {
    const statuses = new Set<number>()
    seen.set(call.name, statuses)
    for (const variant of await listVariants(api, call)) {
      const path = fillPath(call.path, variant.values ?? (await api.makeValues(call))) + (variant.query ?? '')
      const response = await api.ask({
        method: call.method,
        path,
        headers: { authorization: `Bearer ${api.keys.full}`, ...variant.headers },
        ...(variant.body !== undefined && { body: variant.body }),
      })
      calls += 1
      statuses.add(response.status)
      const wrong = checkAnswer(api.parsed, call, response)
      const { status, text } = response
      if (status !== variant.status) wrong.push(`${status} instead of ${variant.status}: ${text}`)
      problems.push(...wrong.map((text) => `${call.name}, ${variant.name}: ${text}`))
    }
    // Separate tests cover responses that require special conditions, such as a database outage, a
    // race or many requests.
    const rare = new Set([409, 422, 429, 503])
    for (const status of Object.keys(call.operation.responses).map(Number)) {
      if (!rare.has(status) && !statuses.has(status)) problems.push(`${call.name}: no request returned ${status}`)
    }
  }
  expect(problems).toEqual([])
  expect(calls).toBeGreaterThan(150)
})

async function listVariants(api: ContractApi, call: Call): Promise<Variant[]> {
  const { operation } = call
  const media = operation.requestBody?.content['application/json']
  const bodies = Object.values(media?.examples ?? {}).map((example) => JSON.stringify(example.value))
  const body = bodies[0]
  const good: Variant = { name: 'valid', status: okStatus(call), ...(body !== undefined && { body, headers: json }) }
  return [
    ...(bodies.length > 0 ? bodies.map((text) => ({ ...good, body: text })) : [good]),
    ...(await listNegotiated(api, call)),
    ...listGuarded(api, call, good),
    ...listBadQueries(call),
    ...(call.method === 'GET' ? [] : listBadBodies(api, call)),
    ...(call.path.includes('{')
      ? [
          { name: 'incorrectly encoded URL', status: 400, values: { projectId: api.projectId }, query: '%zz' },
          { name: 'overlong path', status: 414, values: pathOf(call, 'a'.repeat(2000)) },
        ]
      : []),
  ]
}

const okStatus = (call: Call): number =>
  Math.min(
    ...Object.keys(call.operation.responses)
      .map(Number)
      .filter((status) => status < 300),
  )

const pathOf = (call: Call, value: string): PathValues =>
  Object.fromEntries(call.parameters.filter((p) => p.in === 'path').map((p) => [p.name, value]))

/** Returns requests for other media types and for responses without a body. */
async function listNegotiated(api: ContractApi, call: Call): Promise<Variant[]> {
  const variants: Variant[] = []
  const types = Object.keys(api.parsed.findResponse(call, okStatus(call))?.content ?? {})
  for (const type of types.slice(1)) variants.push({ name: type, status: okStatus(call), headers: { accept: type } })
  if (call.operation.responses[304]) {
    const values = await api.makeValues(call)
    const headers = { authorization: `Bearer ${api.keys.full}` }
    const { headers: received } = await api.ask({ method: 'GET', path: fillPath(call.path, values), headers })
    variants.push({ name: 'unchanged', status: 304, values, headers: { 'if-none-match': String(received.etag) } })
  }
  if (call.operation.responses[204] && types.includes('text/event-stream')) {
    const values = { projectId: api.projectId, id: await api.makeEndedJob() }
    variants.push({
      name: 'resumed at the end',
      status: 204,
      values,
      headers: { accept: 'text/event-stream', 'last-event-id': '1000' },
    })
  }
  return variants
}

function listGuarded(api: ContractApi, call: Call, good: Variant): Variant[] {
  if (call.operation.security.length === 0) return []
  const { responses, description } = call.operation
  const as = (key: string) => ({ ...good.headers, authorization: `Bearer ${key}` })
  const variants: Variant[] = [
    { ...good, name: 'no key', status: 401, headers: { ...good.headers, authorization: '' } },
    { ...good, name: 'invalid key', status: 401, headers: as('cgd_x') },
  ]
  if (responses[404]) {
    variants.push(
      { ...good, name: "another project's key", status: 404, headers: as(api.keys.foreign) },
      { ...good, name: 'missing object', status: 404, values: pathOf(call, 'nothing') },
    )
  }
  const scope = /needs the scope `([\w:]+)`/.exec(description)?.[1] as keyof typeof api.keys.without | undefined
  if (scope) variants.push({ ...good, name: `without ${scope}`, status: 403, headers: as(api.keys.without[scope]) })
  if (!scope && responses[403]) {
    variants.push({
      ...good,
      name: 'from a disallowed address',
      status: 403,
      headers: as(api.keys.elsewhere),
    })
  }
  return variants
}

function listBadQueries(call: Call): Variant[] {
  const variants: Variant[] = []
  for (const { name, in: location, schema } of call.parameters) {
    if (location === 'query') {
      const isFree = schema.type === 'string' && !schema.format && !schema.enum
      const bad = isFree
        ? typeof schema.maxLength === 'number'
          ? 'x'.repeat(schema.maxLength + 1)
          : null
        : 'nonsense!'
      if (bad !== null) variants.push({ name: `bad ${name}`, status: 400, query: `?${name}=${bad}` })
      variants.push({ name: `${name} twice`, status: 400, query: `?${name}=1&${name}=2` })
    }
    if (location === 'header' && name === 'Idempotency-Key') {
      const headers = { ...json, 'idempotency-key': 'k'.repeat(256) }
      variants.push({ name: 'overlong Idempotency-Key', status: 400, headers, body: '{"prompt":"x"}' })
    }
  }
  return variants
}

function listBadBodies(api: ContractApi, call: Call): Variant[] {
  const media = call.operation.requestBody
  const variants: Variant[] = [
    { name: 'not JSON', status: 400, headers: json, body: '{"prompt": ' },
    { name: 'prototype keys', status: 400, headers: json, body: '{"__proto__":{"a":1}}' },
    { name: 'plain text', status: 415, headers: { 'content-type': 'text/plain' }, body: 'prompt' },
    { name: 'too large', status: 413, headers: json, body: JSON.stringify({ prompt: 'x'.repeat(1_100_000) }) },
  ]
  if (media?.required) {
    for (const body of ['null', '[]', ...(needsFields(api, call) ? ['{}'] : [])])
      variants.push({ name: body, status: 400, headers: json, body })
  }
  return variants
}

function needsFields(api: ContractApi, call: Call): boolean {
  const schema = call.operation.requestBody?.content['application/json']?.schema as { $ref: string }
  const { required } = api.parsed.resolveReference(schema) as { required?: unknown[] }
  return (required ?? []).length > 0
}
