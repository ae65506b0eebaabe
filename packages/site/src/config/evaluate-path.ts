import type { Evaluation } from './evaluation.ts'
import type { Literal, LiteralFile } from './literal.ts'
import { joinValues, toAbsolute } from './module-path.ts'

/** Total length of the arguments. */
const MAX_CHARS = 10_000

/** A call in a configuration script, with evaluated arguments. */
export interface EvaluatedCall {
  /** As written, for example `path.join`. */
  readonly name: string
  /** The package that the function is imported from, or null. */
  readonly from: string | null
  readonly args: readonly Literal[]
  readonly place: { readonly start: number; readonly end: number; readonly file: LiteralFile }
}

/**
 * Evaluates functions that compute a path from strings: `path.join` and `path.resolve`,
 * `require.resolve`, `new URL` and `fileURLToPath`. Returns null for other functions, and for paths
 * that depend on anything outside the repository.
 */
export function evaluatePath(call: EvaluatedCall, modules: Pick<Evaluation, 'resolve'>): Literal | null {
  const values = call.args.map((arg) => (arg.kind === 'string' ? arg.value : null))
  const [first = null] = values
  if (first === null || values.reduce((length, value) => length + (value?.length ?? 0), 0) > MAX_CHARS) return null
  const result = (value: string | null): Literal | null =>
    value === null ? null : { kind: 'string', value, isComputed: true, ...call.place }
  const method = call.name.replace(/^.*\./, '')
  if (call.name === 'require.resolve') {
    const path = modules.resolve(call.place.file.path, first)
    return result(path === null ? first : toAbsolute(path))
  }
  if (call.name === 'new URL') {
    const base = values[1] ?? null
    return base === null ? null : result(joinValues([`${base}/..`, first], 'join'))
  }
  if (method === 'fileURLToPath') return result(first)
  if (!/^(?:node:)?path(?:\/posix)?$/.test(call.from ?? '')) return null
  if (method === 'dirname') return result(joinValues([`${first}/..`], 'join'))
  if (method !== 'join' && method !== 'resolve') return null
  return result(values.includes(null) ? null : joinValues(values.map(String), method))
}
