// Generates python/corrigenda/_generated.py from openapi.json. Usage: node scripts/generate-python.mjs [file]
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const SUCCESS = /^2/
/** Fields that the client sets itself, or that belong to an event stream. */
const OMITTED = new Set(['If-None-Match', 'Last-Event-ID', 'named', 'token'])
const KEYWORDS = new Set(
  'and as assert async await break class def del elif else from global if import in is lambda not or pass raise return try while with yield'.split(
    ' ',
  ),
)

const HEAD = `"""Types and operations of the Corrigenda API, generated from openapi.json. Do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict
from urllib.parse import quote

`

/** Names of components, which no other type may have. */
let components = new Set()

/** Generates the module and returns its text. */
export function toPython(document) {
  const types = new Map()
  components = new Set(Object.keys(document.components.schemas))
  for (const [name, schema] of Object.entries(document.components.schemas)) addType(types, name, schema)
  const operations = []
  for (const [url, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!operation.deprecated) operations.push(toMethod(types, url, method, operation))
    }
  }
  const mixin = `class Operations:
    """The operations of the API for one project."""

    project_id: str

    def _send(self, method: str, path: str, query: dict[str, Any], body: Any, idempotency_key: str | None) -> Any:
        raise NotImplementedError
`
  return `${HEAD}${[...types.values()].join('\n')}\n\n${mixin}\n${operations.join('\n')}`
}

/** Adds a type alias, or a class for an object with known fields. */
function addType(types, name, schema) {
  if (types.has(name)) return
  types.set(name, '')
  if (!schema.properties) {
    types.set(name, `${name} = ${toAlias(toType(types, name, schema))}\n`)
    return
  }
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties).map(([field, inner]) => {
    const type = toType(types, name + field[0].toUpperCase() + field.slice(1), inner)
    return [field, required.has(field) ? type : `NotRequired[${type}]`]
  })
  // The functional form accepts names that are not identifiers of Python.
  const text = fields.every(([field]) => /^[a-z]\w*$/i.test(field) && !KEYWORDS.has(field))
    ? `\nclass ${name}(TypedDict):\n${toDoc(schema.description, 4)}${fields.map(([field, type]) => `    ${field}: ${type}`).join('\n')}\n`
    : `\n${name} = TypedDict(${JSON.stringify(name)}, {${fields.map(([field, type]) => `${JSON.stringify(field)}: ${JSON.stringify(type)}`).join(', ')}})\n`
  // After the types of its fields, which are in the map already.
  types.delete(name)
  types.set(name, text)
}

/** An alias is evaluated when the module is loaded, so references to later types are quoted. */
const toAlias = (type) => (/^(str|int|float|bool|Any|Literal\[[^\]]*\])$/.test(type) ? type : JSON.stringify(type))

/** Returns the annotation of a schema. Objects with known fields get a class with the given name. */
function toType(types, name, schema) {
  if (schema.$ref) return schema.$ref.split('/').at(-1)
  if ('const' in schema) return `Literal[${toLiteral(schema.const)}]`
  if (schema.enum) return `Literal[${schema.enum.map(toLiteral).join(', ')}]`
  if (schema.anyOf)
    return [...new Set(schema.anyOf.map((one, n) => toType(types, `${name}${n || ''}`, one)))].join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => toType(types, name, { ...schema, type })).join(' | ')
  switch (schema.type) {
    case 'string':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'array':
      return `list[${toType(types, `${name}Item`, schema.items ?? {})}]`
    case 'object':
      if (schema.properties) {
        const own = components.has(name) ? `${name}Object` : name
        addType(types, own, schema)
        return own
      }
      return `dict[str, ${toType(types, `${name}Value`, schema.additionalProperties || {})}]`
    default:
      return 'Any'
  }
}

function toMethod(types, url, method, operation) {
  const { operationId, summary, parameters = [], requestBody, responses } = operation
  const name = toSnake(operationId)
  const known = parameters.filter((one) => !OMITTED.has(one.name))
  const inPath = known.filter((one) => one.in === 'path' && one.name !== 'projectId').map((one) => toSnake(one.name))
  const inQuery = known.filter((one) => one.in === 'query')
  const isRepeatable = known.some((one) => one.name === 'Idempotency-Key')
  const bodyType = requestBody && toType(types, `${operationId}Body`, requestBody.content['application/json'].schema)
  const keywords = [
    ...inQuery.map((one) => `${toSnake(one.name)}: ${toType(types, 'Unused', one.schema)} | None = None`),
    ...(isRepeatable ? ['idempotency_key: str | None = None'] : []),
  ]
  const input = ['self', ...inPath.map((one) => `${one}: str`), ...(bodyType ? [`body: ${bodyType}`] : [])]
  if (keywords.length > 0) input.push('*', ...keywords)
  const query = inQuery.map((one) => `${JSON.stringify(one.name)}: ${toSnake(one.name)}`).join(', ')
  const path = url.replace(
    /\{(\w+)\}/g,
    (_, field) => `{quote(${field === 'projectId' ? 'self.project_id' : toSnake(field)}, safe='')}`,
  )
  const call = [
    `'${method.toUpperCase()}', f"${path}"`,
    `{${query}}, ${bodyType ? 'body' : 'None'}, ${isRepeatable ? 'idempotency_key' : 'None'}`,
  ]
  return `    def ${name}(${input.join(', ')}) -> ${toResult(types, operationId, responses)}:
${toDoc(summary && `${summary}.`, 8)}        return self._send(${call.join(', ')})
`
}

function toResult(types, operationId, responses) {
  const [, response] = Object.entries(responses).find(([status]) => SUCCESS.test(status)) ?? []
  const schema = response?.content?.['application/json']?.schema
  const name = `${operationId[0].toUpperCase()}${operationId.slice(1)}Result`
  return schema ? toType(types, name, schema) : 'None'
}

const toLiteral = (value) =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
const toSnake = (text) => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const toDoc = (text, indent) =>
  text ? `${' '.repeat(indent)}"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'").trim()}"""\n\n` : ''

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const document = JSON.parse(await readFile(path.join(here, '../../../openapi.json'), 'utf8'))
  await writeFile(process.argv[2] ?? path.join(here, '../python/corrigenda/_generated.py'), toPython(document))
}
