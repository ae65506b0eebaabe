import { OPERATIONS, type RestOperation } from './host/operations.ts'

export interface Match {
  readonly op: RestOperation
  /** Decoded path parameters. */
  readonly params: Record<string, string>
}

const PATTERNS = Object.entries(OPERATIONS).map(([op, description]) => {
  const [method, path = ''] = description.split(' ')
  return { op: op as RestOperation, method, pattern: toPattern(path) }
})

/** Finds the operation for a request. Returns null if no operation has this method and path. */
export function findOperation(method: string, path: string): Match | null {
  for (const { op, method: expected, pattern } of PATTERNS) {
    const found = method === expected ? pattern.exec(path) : null
    const params = found && decodeAll(found.groups ?? {})
    if (params) return { op, params }
  }
  return null
}

function toPattern(path: string): RegExp {
  const source = path.replace(/\{(\w+)(\+?)\}/g, (_, name: string, spans: string) =>
    spans ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
  )
  return new RegExp(`^${source}$`)
}

function decodeAll(groups: Record<string, string>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    return null // an invalid percent escape matches no operation
  }
}
