import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Header, OpenApiDocument, Operation, Parameter, Response } from '../../public/openapi/openapi.ts'

export interface Call {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly parameters: readonly Parameter[]
}

/** Prepares the document for tests: operations as a list, references resolved, schemas compiled. */
export function buildApiDocument(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  // The module's types declare a default export that Node does not provide.
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema({ $id: 'document', ...(closeObjects(document) as object) })
  const compiled = new Map<string, ValidateFunction>()
  const compile = (schema: unknown): ValidateFunction => {
    const text = JSON.stringify(closeObjects(schema)).replaceAll('"$ref":"#/', '"$ref":"document#/')
    const known = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, known)
    return known
  }
  const resolveReference = <T extends object>(value: T | { $ref: string }): T => {
    if (!('$ref' in value)) return value
    const target = value.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
    return target as T
  }
  const calls: Call[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
      parameters: operation.parameters ?? [],
    })),
  )
  return {
    document,
    calls,
    compile,
    resolveReference,
    findResponse: (call: Call, status: number): Response | null => {
      const found = call.operation.responses[String(status)]
      return found ? resolveReference<Response>(found) : null
    },
    listHeaders: (response: Response): [string, Header][] =>
      Object.entries(response.headers ?? {}).map(([name, header]) => [name, resolveReference<Header>(header)]),
  }
}

export type ApiDocument = ReturnType<typeof buildApiDocument>

/** Forbids undocumented fields in test responses, although clients must accept new fields. */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects)
  if (!(schema instanceof Object)) return schema
  const closed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    closed[key] = key === 'examples' || key === 'example' || key === 'const' ? value : closeObjects(value)
  }
  if ('type' in schema && schema.type === 'object' && 'properties' in schema && !('additionalProperties' in schema))
    closed.additionalProperties = false
  return closed
}
