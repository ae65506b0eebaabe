import { ERRORS, type ErrorFact, WebhookEventType } from '@corrigenda/contracts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import type { MediaType, OpenApiDocument, Response } from '../public/openapi/openapi.ts'
import { listRoutes } from '../test-support/list-routes.ts'
import { openTestApi } from '../test-support/open-test-api.ts'
import { buildApiDocument } from './test-support/api-document.ts'

async function open() {
  const api = await openTestApi()
  const document: OpenApiDocument = (await api.get('/openapi.json')).json()
  return { ...api, document, parsed: buildApiDocument(document) }
}

/**
 * Routes that the document omits: routes for browsers and other protocols, and aliases of job
 * endpoints.
 */
const HIDDEN =
  /^(POST \/mcp|POST \/v1\/(github|git)\/webhook|GET \/reference(\/.*)?|\w+ \/dashboard\/api\/.*|\w+ \/api\/agent\/v2\/.*)$/

test('every public route is in the OpenAPI document', async () => {
  const { app, parsed } = await open()
  const listed = parsed.calls.map(({ method, path }) => `${method} ${path}`)
  const routes = (await listRoutes(app)).filter((route) => !HIDDEN.test(route))
  expect(listed.sort()).toEqual(routes.map((route) => route.replace(/:(\w+)/g, '{$1}')).sort())
})

test('the document is valid OpenAPI 3.1, its schemas are valid and its references resolve', async () => {
  const { document } = await open()
  expect(await new Validator().validate({ ...structuredClone(document) })).toEqual({ valid: true })
  const ajv = new Ajv2020({ strict: false })
  const wrong: string[] = []
  let schemas = 0
  let references = 0
  const visit = (value: unknown, at: string) => {
    if (!(value instanceof Object)) return
    for (const [key, inner] of Object.entries(value)) {
      const here = `${at}/${key}`
      if (key === 'example' || key === 'examples') continue
      if (key === '$ref') {
        references += 1
        if (!doesResolve(document, String(inner))) wrong.push(`${here}: ${inner} does not resolve`)
      }
      if (key === 'schema' || at === '#/components/schemas') {
        schemas += 1
        if (!ajv.validateSchema(inner as object)) wrong.push(`${here}: ${ajv.errorsText()}`)
      }
      visit(inner, here)
    }
  }
  visit(document, '#')
  expect(wrong).toEqual([])
  expect(Math.min(schemas, references)).toBeGreaterThan(100)
})

const doesResolve = (document: unknown, reference: string): boolean =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => Object(at)[key.replaceAll('~1', '/').replaceAll('~0', '~')], document) !== undefined

test('every webhook type has a schema, an example and the webhook headers', async () => {
  const { document, parsed } = await open()
  expect(Object.keys(document.webhooks)).toEqual([...WebhookEventType.options, 'webhook.test'])
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const media = post.requestBody.content['application/json']
    const validate = parsed.compile(media?.schema)
    const example = media?.examples?.event?.value as { type: string }
    expect([type, validate(example), validate.errors]).toEqual([type, true, null])
    expect(validate({ ...example, type: 'another' })).toBe(false)
    expect(post.parameters?.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  }
})

test('every operation, parameter and response has a description, JSON bodies have examples, and request bodies are named components', async () => {
  const { document, parsed } = await open()
  const missing: string[] = []
  const ids = new Set<string>()
  for (const call of parsed.calls) {
    const { operation } = call
    if (ids.has(operation.operationId)) missing.push(`${call.name} is used twice`)
    ids.add(operation.operationId)
    if (!operation.summary || !operation.description) missing.push(`${call.name}: summary, description`)
    const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const named = call.parameters.filter((p) => p.in === 'path').map((p) => p.name)
    if (inPath.sort().join() !== named.sort().join()) missing.push(`${call.name}: path parameters ${named}`)
    for (const p of call.parameters) if (!p.description) missing.push(`${call.name}: parameter ${p.name}`)
    for (const status of Object.keys(operation.responses)) {
      const response = parsed.findResponse(call, Number(status)) as Response
      if (!response.description) missing.push(`${call.name}: ${status}`)
      const json = response.content?.['application/json']
      if (json && !json.examples && call.name !== 'getOpenApi') missing.push(`${call.name}: ${status} has no example`)
    }
    const body = operation.requestBody?.content['application/json']
    if (body && !body.examples) missing.push(`${call.name}: the request has no example`)
    if (body && !('$ref' in body.schema)) missing.push(`${call.name}: the request body has no name`)
  }
  expect(missing).toEqual([])
  expect(document.components.schemas).toHaveProperty('AgentJob')
  expect(document.components.schemas).toHaveProperty('CreateAgentJobRequest')
  expect(document.components.schemas).toHaveProperty('Error')
  // Codes that only browsers receive are not part of the API.
  const isListed = (code: string) => String(document.info.description).includes(`| \`${code}\` |`)
  const wrong = Object.entries<ErrorFact>(ERRORS).filter(
    ([code, { isDashboardOnly = false }]) => isListed(code) === isDashboardOnly,
  )
  expect(wrong).toEqual([])
})

test('every example is valid against its schema', async () => {
  const { parsed } = await open()
  const wrong: string[] = []
  let count = 0
  const check = (where: string, media: MediaType | undefined) => {
    for (const [name, example] of Object.entries(media?.examples ?? {})) {
      const validate = parsed.compile(media?.schema)
      count += 1
      if (!validate(example.value)) wrong.push(`${where} ${name}: ${JSON.stringify(validate.errors)}`)
    }
  }
  for (const call of parsed.calls) {
    check(`${call.name} request`, call.operation.requestBody?.content['application/json'])
    for (const status of Object.keys(call.operation.responses)) {
      const response = parsed.findResponse(call, Number(status)) as Response
      for (const media of Object.values(response.content ?? {})) check(`${call.name} ${status}`, media)
      for (const [name, header] of parsed.listHeaders(response)) {
        if (header.example === undefined) continue
        count += 1
        if (!parsed.compile(header.schema)(header.example)) wrong.push(`${call.name} ${status} header ${name}`)
      }
    }
    for (const parameter of call.parameters) {
      if (parameter.example === undefined) continue
      count += 1
      if (!parsed.compile(parameter.schema)(parameter.example)) wrong.push(`${call.name} parameter ${parameter.name}`)
    }
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(100)
})
