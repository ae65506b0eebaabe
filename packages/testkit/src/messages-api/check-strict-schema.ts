import { isObject, type JsonObject, refuse } from '@corrigenda/demo/messages-api'

const keywords = new Set([
  '$defs',
  '$ref',
  '$schema',
  'additionalProperties',
  'allOf',
  'anyOf',
  'const',
  'default',
  'definitions',
  'description',
  'enum',
  'format',
  'items',
  'minItems',
  'pattern',
  'properties',
  'required',
  'title',
  'type',
])
const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']
const maxOptional = 24
const maxUnions = 16

interface StrictTotals {
  optional: number
  unions: number
}

/**
 * Rejects schemas that the grammar compiler behind `strict: true` does not support. The allowed
 * keywords are the same as in the SDK's schema transformer. The totals are summed over all strict
 * tools in a request.
 */
export function checkStrictSchema(schema: unknown, at: string, totals: StrictTotals): void {
  walk(schema, at, totals)
  if (totals.optional > maxOptional) {
    refuse(
      `Schemas contains too many optional parameters (${totals.optional}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: ${maxOptional}).`,
    )
  }
  if (totals.unions > maxUnions) {
    refuse(`Schemas contains too many parameters with union types (${totals.unions}; limit: ${maxUnions}).`)
  }
}

function walk(schema: unknown, at: string, totals: StrictTotals): void {
  if (!isObject(schema)) refuse(`${at}: Input should be a valid dictionary`)
  for (const key of Object.keys(schema)) {
    if (!keywords.has(key)) refuse(`${at}: For strict tools, property '${key}' is not supported`)
  }
  checkReference(schema, at)
  checkScalars(schema, at)
  if (types(schema).includes('object')) checkObject(schema, at, totals)
  for (const key of ['anyOf', 'allOf']) {
    for (const [index, one] of asList(schema[key]).entries()) walk(one, `${at}.${key}.${index}`, totals)
  }
  for (const key of ['$defs', 'definitions']) {
    if (!isObject(schema[key])) continue
    for (const [name, one] of Object.entries(schema[key])) walk(one, `${at}.${key}.${name}`, totals)
  }
  if (schema.items !== undefined) walk(schema.items, `${at}.items`, totals)
}

function checkObject(schema: JsonObject, at: string, totals: StrictTotals): void {
  if (schema.additionalProperties !== false) {
    refuse(`${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`)
  }
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = asList(schema.required)
  for (const name of required) {
    if (typeof name !== 'string' || !(name in properties)) refuse(`${at}.required: '${String(name)}' is not a property`)
  }
  for (const [name, one] of Object.entries(properties)) {
    if (!required.includes(name)) totals.optional += 1
    if (isObject(one) && (Array.isArray(one.type) || Array.isArray(one.anyOf))) totals.unions += 1
    walk(one, `${at}.properties.${name}`, totals)
  }
}

function checkReference(schema: JsonObject, at: string): void {
  const target = schema.$ref
  if (target === undefined) return
  if (typeof target !== 'string' || !/^#\/(\$defs|definitions)\/./.test(target)) {
    refuse(`${at}.$ref: only references to '#/$defs' are supported`)
  }
}

function checkScalars(schema: JsonObject, at: string): void {
  if (schema.minItems !== undefined && schema.minItems !== 0 && schema.minItems !== 1) {
    refuse(`${at}: For 'array' type, 'minItems' values other than 0 or 1 are not supported`)
  }
  if (asList(schema.enum).some((one) => typeof one === 'object' && one !== null)) {
    refuse(`${at}.enum: only strings, numbers, booleans and null are supported`)
  }
  if (schema.format !== undefined && !formats.includes(String(schema.format))) {
    refuse(`${at}: For 'string' type, format '${String(schema.format)}' is not supported`)
  }
  if (typeof schema.pattern === 'string' && /\(\?[=!<]|\\[1-9bB]/.test(schema.pattern)) {
    refuse(`${at}.pattern: lookaround, backreferences and word boundaries are not supported`)
  }
}

function types(schema: JsonObject): unknown[] {
  return Array.isArray(schema.type) ? schema.type : [schema.type]
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
