import { readFileSync } from 'node:fs'
import type { RestChecks } from '@corrigenda/demo'
import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

/**
 * GitHub's published OpenAPI description of the operations that the Git host serves, extracted by
 * scripts/extract-github-openapi.mjs.
 */
const FIXTURE = new URL('../../fixtures/github-openapi.json', import.meta.url)

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly multiSegment?: boolean
  readonly schema: AnySchemaObject
}

interface OperationDescription {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body?: { readonly required: boolean; readonly schema: AnySchemaObject }
  /** Body schemas keyed by status, or null for responses without a body. */
  readonly responses: Readonly<Record<string, AnySchemaObject | null>>
}

/** Checks for a Git host, based on GitHub's OpenAPI description. */
interface Openapi extends RestChecks {
  /** Keyed by Octokit's operation name, such as `pulls.create` for `pulls/create`. */
  readonly operations: ReadonlyMap<string, OperationDescription>
}

let loaded: Openapi | undefined

/**
 * Reads the fixture. Compiles each schema on first use. All hosts in a process share the result,
 * because compiling takes longer than most tests.
 */
export const loadOpenapi = (): Openapi => (loaded ??= readOpenapi())

function readOpenapi(): Openapi {
  const document: { operations: Record<string, OperationDescription>; definitions: AnySchemaObject } = JSON.parse(
    readFileSync(FIXTURE, 'utf8'),
  )
  const operations = new Map(Object.entries(document.operations).map(([id, value]) => [toOctokitName(id), value]))
  const { definitions } = document
  const validators = {
    exact: buildAjv(definitions, false),
    coercing: buildAjv(definitions, true),
    partial: buildAjv(toPartial(definitions, definitions), false),
  }
  const compiled = new Map<string, ValidateFunction>()
  const compile = (key: string, kind: keyof typeof validators, schema: AnySchemaObject): ValidateFunction => {
    const known = compiled.get(key)
    if (known) return known
    const validate = validators[kind].compile(pointToDefinitions(schema))
    compiled.set(key, validate)
    return validate
  }
  const describe = (op: string): OperationDescription => {
    const description = operations.get(op)
    if (!description) throw new Error(`GitHub's description does not contain operation ${op}`)
    return description
  }

  return {
    operations,
    findBodyFault: (op, body) => {
      const { body: described } = describe(op)
      if (!described) return null
      const validate = compile(`${op} body`, 'exact', described.schema)
      return validate(body ?? {}) ? null : toInvalidRequest(validate.errors ?? [])
    },
    findParameterFault: (op, kind, values) => {
      const parameters = describe(op).parameters.filter((parameter) => parameter.in === kind)
      const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
      const validate = compile(`${op} ${kind}`, 'coercing', { type: 'object', properties })
      return validate({ ...values }) ? null : toInvalidRequest(validate.errors ?? [])
    },
    findAnswerFault: (op, status, body) => {
      const { responses } = describe(op)
      const schema = responses[String(status)]
      if (schema === undefined) return status < 300 ? `${op} has no response ${status}` : null
      if (schema === null) return null
      const validate = compile(`${op} ${status}`, 'partial', toPartial(schema, definitions))
      if (validate(body)) return null
      const reasons = (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message}`)
      return `${op} ${status}: ${reasons.join('; ')}`
    },
  }
}

function buildAjv(definitions: AnySchemaObject, coerceTypes: boolean): Ajv {
  // GitHub-specific formats (repo.nwo, timestamp) are not checked.
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false, coerceTypes, logger: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'github', definitions })
  return ajv
}

/**
 * Returns schemas for responses that omit fields. The host sends only the fields that the product
 * and the tests read. A field that GitHub does not describe is not allowed.
 */
function toPartial<T extends object>(schemas: T, definitions: AnySchemaObject): T {
  return JSON.parse(JSON.stringify(schemas), (key, node) => {
    if (key === 'required' && Array.isArray(node)) return undefined
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return node
    const { oneOf, allOf, ...schema } = node
    if (Array.isArray(oneOf)) schema.anyOf = oneOf
    if (Array.isArray(allOf)) {
      const parts = allOf.map((part) => (part.$ref ? definitions[part.$ref.split('/').at(-1)] : part))
      schema.properties = Object.assign({}, ...parts.map((part) => part.properties))
    }
    if (schema.properties) schema.additionalProperties ??= false
    return schema
  })
}

function pointToDefinitions(schema: AnySchemaObject): AnySchemaObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', '"github#/definitions/'))
}

/** Converts `apps/create-installation-access-token` to `apps.createInstallationAccessToken`. */
function toOctokitName(id: string): string {
  const camel = (text: string): string => text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const [group = '', name = ''] = id.split('/')
  return `${camel(group)}.${camel(name)}`
}

/** Returns GitHub's 422 message for a request that does not match its schema. */
function toInvalidRequest(errors: readonly ErrorObject[]): string {
  const missing = errors.flatMap((error) => (error.keyword === 'required' ? [`"${error.params.missingProperty}"`] : []))
  if (missing.length === 1) return `Invalid request.\n\n${missing[0]} wasn't supplied.`
  if (missing.length > 1) return `Invalid request.\n\n${missing.join(', ')} weren't supplied.`
  const [first] = errors
  const where = (first?.instancePath ?? '').split('/').filter(Boolean)
  const place = where.map((part) => (/^\d+$/.test(part) ? `items/${part}` : `properties/${part}`)).join('/')
  return `Invalid request.\n\nFor '${place || 'body'}', the value ${first?.message ?? 'is invalid'}.`
}
