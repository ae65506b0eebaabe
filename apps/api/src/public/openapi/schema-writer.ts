import * as contracts from '@corrigenda/contracts'
import { z } from 'zod'
import type { JsonSchema } from './openapi.ts'

/** Names that read better in a document than in code. */
const RENAMED: Readonly<Record<string, string>> = {
  ErrorBody: 'Error',
  // The document describes the open form: clients must accept types they do not know.
  JobEventRecord: 'JobEvent',
  JobEvent: 'KnownJobEvent',
}

export interface SchemaWriter {
  /**
   * The JSON Schema of a request part or of an answer. What the contracts export becomes a component of the same name.
   * @throws Error when one name would mean two shapes, in requests and in answers
   */
  write(schema: z.ZodType, io: 'input' | 'output'): JsonSchema
  /** Every component that was written so far, by name. */
  components(): Readonly<Record<string, JsonSchema>>
}

/** Turns the schemas that validate into those of the document (JSON Schema 2020-12, which OpenAPI 3.1 uses). */
export function buildSchemaWriter(): SchemaWriter {
  const names = z.registry<{ id: string }>()
  for (const [name, schema] of Object.entries(contracts)) {
    if (schema instanceof z.ZodType) names.add(schema, { id: RENAMED[name] ?? name })
  }
  const components = new Map<string, JsonSchema>()
  return {
    write: (schema, io) => {
      const {
        $schema: _,
        $defs,
        ...root
      } = z.toJSONSchema(schema, {
        io,
        metadata: names,
        reused: 'inline',
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => polish(zodSchema, jsonSchema),
      })
      for (const [name, definition] of Object.entries($defs ?? {})) addComponent(components, name, refer(definition))
      return refer(root)
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function addComponent(components: Map<string, JsonSchema>, name: string, schema: JsonSchema): void {
  const known = components.get(name)
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(
      `The schema ${name} differs between requests and answers. Export one schema for each from the contracts.`,
    )
  }
  components.set(name, schema)
}

/** Adds what `.describe()` and `.meta()` say, and drops what is only noise to a reader or would forbid additive fields. */
function polish(zodSchema: z.core.$ZodType, jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { id: _, ...meta } = z.globalRegistry.get(zodSchema) ?? {}
  Object.assign(jsonSchema, meta)
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // The format says the same.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
}

/** Components live elsewhere in OpenAPI than in plain JSON Schema. */
function refer(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
