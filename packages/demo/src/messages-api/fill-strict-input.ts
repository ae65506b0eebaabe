import { isObject, type JsonObject } from './json-object.ts'
import type { RequestTool } from './messages-request.ts'

/**
 * A strict tool's input always matches its schema, so required properties that may be null are given as null when the
 * brain left them out. Anything else is passed on as it is.
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
