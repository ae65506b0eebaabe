import type { Openapi, OperationDescription } from './openapi.ts'
import type { RestOperation } from './types.ts'

export interface Match {
  readonly op: RestOperation
  readonly description: OperationDescription
  /** Decoded path parameters. */
  readonly params: Record<string, string>
}

/** Finds the operation of a request among those that GitHub describes; null when none has this method and path. */
export type MatchOperation = (method: string, path: string) => Match | null

/** Compiles the path templates. A parameter that GitHub marks as such (`ref`, `branch`) may contain slashes. */
export function buildMatcher(openapi: Openapi): MatchOperation {
  const compiled = [...openapi.operations].map(([op, description]) => ({
    op: op as RestOperation,
    description,
    pattern: toPattern(description),
  }))
  return (method, path) => {
    for (const { op, description, pattern } of compiled) {
      const found = description.method === method ? pattern.exec(path) : null
      const params = found && decodeAll(found.groups ?? {})
      if (params) return { op, description, params }
    }
    return null
  }
}

function toPattern({ path, parameters }: OperationDescription): RegExp {
  const source = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const spans = parameters.some((parameter) => parameter.name === name && parameter.multiSegment)
    return `(?<${name}>${spans ? '.+' : '[^/]+'})`
  })
  return new RegExp(`^${source}$`)
}

function decodeAll(groups: Record<string, string>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    return null // a broken percent escape names nothing
  }
}
