import { type Literal, toProperties } from '../../config/literal.ts'
import type { Rewrite } from '../site.ts'

/** A parameter: `:name`, `:name*`, `:name+` or `:name(.*)`. */
const PARAMETER = /:(\w+)(\(\.[*+]\)|[*+])?/g
/** Patterns with more parameters take too long to match. */
const MAX_PARAMETERS = 6

/** Reads the `rewrites` of a configuration. Returns null if code determines them. */
export function readRewrites(literal: Literal | null): Rewrite[] | null {
  if (literal === null) return []
  if (literal.kind !== 'object' || !literal.whole) return null
  const rewrites = literal.properties.flatMap(({ key, value }) =>
    value.kind === 'string' && toPattern(key) !== null ? [{ from: key, to: value.value }] : [],
  )
  return rewrites.length === toProperties(literal).length ? rewrites : null
}

/** Returns the path after the first rewrite that matches, or the path itself. */
export function rewritePath(rewrites: readonly Rewrite[], path: string): string {
  for (const { from, to } of rewrites) {
    const values = from === path ? {} : toPattern(from)?.exec(path)?.groups
    if (values === undefined && from !== path) continue
    return to.replace(PARAMETER, (_, name: string) =>
      values && Object.hasOwn(values, name) ? (values[name] ?? '') : '',
    )
  }
  return path
}

const patterns = new Map<string, RegExp | null>()

/** Returns null if the syntax of a pattern is not supported. */
function toPattern(from: string): RegExp | null {
  const known = patterns.get(from)
  if (known !== undefined) return known
  const pattern = buildPattern(from)
  if (patterns.size > 1_000) patterns.clear()
  patterns.set(from, pattern)
  return pattern
}

function buildPattern(from: string): RegExp | null {
  const parameters = [...from.matchAll(PARAMETER)]
  const long = parameters.filter(([, , modifier]) => modifier !== undefined)
  const rest = from.replace(PARAMETER, '')
  if (parameters.length > MAX_PARAMETERS || long.length > 1 || /[()*+?:{}\\]/.test(rest)) return null
  if (new Set(parameters.map(([, name]) => name)).size < parameters.length) return null
  let source = ''
  let at = 0
  for (const { 0: text, 1: name = '', 2: modifier, index } of parameters) {
    source += `${escapePattern(from.slice(at, index))}(?<${name}>${modifier === undefined ? '[^/]+?' : '.*'})`
    at = index + text.length
  }
  return new RegExp(`^${source}${escapePattern(from.slice(at))}$`, 's')
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
