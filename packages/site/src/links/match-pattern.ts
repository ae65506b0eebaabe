import { RE2JS } from 're2js'

interface PatternMatch {
  /** The destination with all parameters replaced; null if it cannot be determined. */
  readonly destination: string | null
}

interface Compiled {
  readonly expression: RE2JS
  /** Parameter names by group. Groups without a name are numbered from 1. */
  readonly names: readonly string[]
}

/** Maximum length of a pattern. Longer ones are assumed to match. */
const MAX_CHARS = 500
/** Maximum length of a URL. Patterns are assumed to match longer ones. */
const MAX_URL_CHARS = 2_000
const TOKEN =
  /\/?\[\.\.\.(\w+)\]|\[(\w+)\]|\/:(\w+)([*?])|:(\w+)(?:\(([^()]*)\))?([*+]?)|\/\*$|\*|\(([^()]*)\)|[(){}[\]]/g

/**
 * Matches a URL against the source of a redirect with wildcards or parameters, in the notations of
 * Mintlify, Netlify, Vercel and Astro. Returns null if the source does not match. A source in an
 * unknown notation matches every URL. Takes linear time.
 */
export function matchPattern(source: string, destination: string, url: string): PatternMatch | null {
  const compiled = url.length > MAX_URL_CHARS ? null : compile(source)
  if (compiled === null) return { destination: null }
  const matcher = compiled.expression.matcher(url)
  if (!matcher.find()) return null
  const values = new Map(compiled.names.map((name, at) => [name, matcher.group(at + 1) ?? '']))
  return { destination: fill(destination, values) }
}

function compile(source: string): Compiled | null {
  if (source.length > MAX_CHARS) return null
  const names: string[] = []
  const add = (name: string | undefined) => names.push(name ?? (names.length === 0 ? 'splat' : `${names.length + 1}`))
  let expression = ''
  let at = 0
  for (const match of source.matchAll(TOKEN)) {
    const [token, rest, segment, optional, many, named, own, repeat, group] = match
    expression += RE2JS.quote(source.slice(at, match.index))
    at = match.index + token.length
    if (token === '/*') expression += '(?:/(.*))?'
    else if (token === '*') expression += '(.*)'
    else if (rest !== undefined) expression += token.startsWith('/') ? '(?:/(.*))?' : '(.*)'
    else if (optional !== undefined) expression += `(?:/(${many === '*' ? '.*' : '[^/]+'}))?`
    else if (group !== undefined) expression += `(${group})`
    else if (own !== undefined) expression += `(${own})${repeat}`
    else if (named !== undefined) expression += repeat === '' ? '([^/]+)' : repeat === '+' ? '(.+)' : '(.*)'
    else if (segment !== undefined) expression += '([^/]+)'
    else return null
    add(rest ?? segment ?? optional ?? named)
  }
  try {
    return { expression: RE2JS.compile(`^${expression}${RE2JS.quote(source.slice(at))}/?$`, RE2JS.DOTALL), names }
  } catch {
    return null
  }
}

/** Replaces `:name`, `:name*`, `[name]`, `[...name]`, `$1` and `*` with the matched text. */
function fill(destination: string, values: ReadonlyMap<string, string>): string | null {
  const all = [...values.values()]
  let complete = true
  const filled = destination.replace(
    /:(\w+)[*+?]?|\[(?:\.\.\.)?(\w+)\]|\$(\d)|\*/g,
    (token, named?: string, segment?: string, number?: string) => {
      const name = named ?? segment
      const value =
        number !== undefined
          ? all[Number(number) - 1]
          : name !== undefined
            ? values.get(name)
            : (values.get('splat') ?? all.at(-1))
      if (value === undefined && !/^:\d+$/.test(token)) complete = false
      return value ?? token
    },
  )
  return complete ? filled : null
}
