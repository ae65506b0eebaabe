import { isObject, type JsonObject } from './json-object.ts'
import type { RequestTool } from './messages-request.ts'

/**
 * Adds null for missing required properties that may be null, because the input of a strict tool
 * always matches its schema. Returns the input of other tools unchanged.
 */
export function fillStrictInput(tool: RequestTool | undefined, input: JsonObject): JsonObject {
  if (!tool?.strict) return input
  const filled = { ...input }
  for (const name of tool.input_schema.required ?? []) {
    if (!(name in filled) && admitsNull(tool.input_schema.properties?.[name])) filled[name] = null
  }
  return filled
}

function admitsNull(schema: unknown): boolean {
  if (!isObject(schema)) return false
  if (schema.type === 'null') return true
  if (Array.isArray(schema.type) && schema.type.includes('null')) return true
  return Array.isArray(schema.anyOf) && schema.anyOf.some(admitsNull)
}
