import * as contracts from '@corrigenda/contracts'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { JsonSchema } from './openapi.ts'

/** Component names that differ from the names in code. */
const RENAMED: Readonly<Record<string, string>> = {
  ErrorBody: 'Error',
  // The document uses the schema that accepts any event type, because clients must accept unknown
  // types.
  JobEventRecord: 'JobEvent',
  JobEvent: 'KnownJobEvent',
}

/** Exported contracts become components with the same names. Queries become parameters. */
const names = z.registry<{ id: string }>()
for (const [name, schema] of Object.entries(contracts)) {
  if (schema instanceof z.ZodType && !name.endsWith('Query')) names.add(schema, { id: RENAMED[name] ?? name })
}

type RouteTransform = NonNullable<FastifyDynamicSwaggerOptions['transform']>
type DocumentTransform = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>

const options = { schemaRegistry: names, zodToJsonConfig: { override: polish } }

/** Converts a route's Zod schemas into JSON Schema 2020-12, with references to components. */
export const toRouteSchema: RouteTransform = createJsonSchemaTransform(options)

/** Adds every component to the document. A request component is named `<name>Input`. */
export const addComponents: DocumentTransform = createJsonSchemaTransformObject(options)

/** Returns the JSON Schema of a value that the service sends. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const input = { schema: { response: { 200: schema } }, url: '', openapiObject: { openapi: '3.1.1' } }
  const { response } = toRouteSchema(input as unknown as Parameters<RouteTransform>[0]).schema as {
    response: Record<string, JsonSchema>
  }
  return response['200'] as JsonSchema
}

/**
 * Adds the values of `.describe()` and `.meta()`. Removes keywords that clutter the document or
 * would forbid additional fields.
 */
function polish({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType
  jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  const { id: _, ...meta } = z.globalRegistry.get(zodSchema) ?? {}
  Object.assign(jsonSchema, meta)
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // The pattern is redundant with the format.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
}

/**
 * Renames request components to the names of their contracts, and removes unreferenced components.
 * @throws Error if a schema differs between requests and responses
 */
export function keepUsedComponents<T extends { components: { schemas: Readonly<Record<string, JsonSchema>> } }>(
  document: T,
): T {
  const isInput = (name: string) => name.endsWith('Input') && names._idmap.has(name.slice(0, -'Input'.length))
  const rename = (value: unknown) =>
    JSON.stringify(value).replace(/("#\/components\/schemas\/)(\w+)"/g, (whole, head: string, name: string) =>
      isInput(name) ? `${head}${name.slice(0, -'Input'.length)}"` : whole,
    )
  const { schemas } = document.components
  const used = new Map<string, string>()
  const visit = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const key = isInput(name) ? name.slice(0, -'Input'.length) : name
      const text = rename(schemas[name])
      const known = used.get(key)
      if (known !== undefined && known !== text) {
        throw new Error(`The schema ${key} differs between requests and responses. Export one schema for each.`)
      }
      if (known === undefined) used.set(key, text)
      if (!visited.has(name)) visit(visited.add(name) && schemas[name])
    }
  }
  const visited = new Set<string>()
  visit({ ...document, components: { ...document.components, schemas: {} } })
  const kept = [...used].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => [name, JSON.parse(text)])
  const renamed = JSON.parse(rename(document))
  return { ...renamed, components: { ...renamed.components, schemas: Object.fromEntries(kept) } }
}
