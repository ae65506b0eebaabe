import { isObject, refuse } from '@corrigenda/demo/messages-api'
import { checkStrictSchema } from './check-strict-schema.ts'
import { refuseExtraKeys, refuseUnlessBoolean } from './json-object.ts'

const toolFields = new Set([
  'name',
  'description',
  'input_schema',
  'type',
  'strict',
  'cache_control',
  'input_examples',
  'defer_loading',
  'allowed_callers',
  'eager_input_streaming',
])
const namePattern = /^[a-zA-Z0-9_-]{1,128}$/
const maxStrictTools = 20

/** Checks client tools. This server runs no server tools and supports no built-in tools. */
export function checkTools(tools: unknown): void {
  if (tools === undefined) return
  if (!Array.isArray(tools)) refuse('tools: Input should be a valid list')
  const names = new Set<string>()
  const totals = { optional: 0, unions: 0 }
  let strictTools = 0
  for (const [index, tool] of tools.entries()) {
    const at = `tools.${index}.custom`
    if (!isObject(tool)) refuse(`tools.${index}: Input should be a valid dictionary`)
    if (tool.type != null && tool.type !== 'custom') {
      refuse(`tools.${index}.type: '${String(tool.type)}' is not available on this server; send a custom tool`)
    }
    refuseExtraKeys(tool, toolFields, at)
    if (typeof tool.name !== 'string' || !namePattern.test(tool.name)) {
      refuse(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
    }
    if (names.has(tool.name)) refuse('tools: Tool names must be unique.')
    names.add(tool.name)
    if (tool.description !== undefined && typeof tool.description !== 'string') {
      refuse(`${at}.description: Input should be a valid string`)
    }
    refuseUnlessBoolean(tool.strict, `${at}.strict`)
    if (!isObject(tool.input_schema)) refuse(`${at}.input_schema: Field required`)
    if (tool.input_schema.type === undefined) refuse(`${at}.input_schema.type: Field required`)
    if (tool.input_schema.type !== 'object') refuse(`${at}.input_schema.type: Input should be 'object'`)
    if (tool.strict) {
      strictTools += 1
      checkStrictSchema(tool.input_schema, `${at}.input_schema`, totals)
    }
  }
  if (strictTools > maxStrictTools) refuse(`tools: too many strict tools (${strictTools}; limit: ${maxStrictTools})`)
}
