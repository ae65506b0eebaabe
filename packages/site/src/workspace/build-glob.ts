import { RE2JS } from 're2js'

interface GlobOptions {
  /** If true, `{a,b}` matches a or b. Default: true. */
  readonly braces?: boolean
}

const MAX_CHARS = 2_000
const MAX_DEPTH = 20

/** Thrown for a pattern that is not a glob or is too large. */
class GlobError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'GlobError'
  }
}

/**
 * Builds a matcher for whole POSIX paths. `*` and `?` do not match slashes, `**` spans folders, and
 * `[a-z]` and `{a,b}` are alternatives. Names that start with a dot are not treated specially.
 * Patterns come from repositories, so the engine does not backtrack. Its
 * running time is at most proportional to the pattern length times the path length.
 * @throws {GlobError}
 */
export function buildGlob(globs: string | readonly string[], options: GlobOptions = {}): (path: string) => boolean {
  const all = typeof globs === 'string' ? [globs] : globs
  const source = all.map((glob) => `(?:${translate(glob, options.braces ?? true)})`).join('|')
  let pattern: RE2JS
  try {
    pattern = RE2JS.compile(`^(?:${source})$`, RE2JS.DOTALL)
  } catch {
    throw new GlobError('The pattern is not a valid glob.')
  }
  return (path) => pattern.matcher(path).find()
}

function translate(glob: string, braces: boolean): string {
  if (glob.length > MAX_CHARS) throw new GlobError(`A glob can have at most ${MAX_CHARS} characters.`)
  let out = ''
  let depth = 0
  for (let at = 0; at < glob.length; ) {
    const char = glob[at] ?? ''
    const atStart = at === 0 || /[/{,]/.test(glob[at - 1] ?? '')
    if (glob.startsWith('**/', at) && atStart) {
      out += '(?:.*/)?'
      at += 3
    } else if (glob.startsWith('/**', at) && isEnd(glob, at + 3)) {
      out += '(?:/.*)?'
      at += 3
    } else if (glob.startsWith('**', at) && atStart && isEnd(glob, at + 2)) {
      out += '.*'
      at += 2
    } else if (char === '*') {
      out += '[^/]*'
      while (glob[at] === '*') at += 1
    } else if (char === '?') {
      out += '[^/]'
      at += 1
    } else if (char === '[') {
      const set = readSet(glob, at)
      out += set?.source ?? '\\['
      at = set?.end ?? at + 1
    } else if (braces && char === '{') {
      depth += 1
      if (depth > MAX_DEPTH) throw new GlobError('The glob is nested too deeply.')
      out += '(?:'
      at += 1
    } else if (depth > 0 && (char === ',' || char === '}')) {
      out += char === ',' ? '|' : ')'
      if (char === '}') depth -= 1
      at += 1
    } else {
      const escaped = char === '\\' && at + 1 < glob.length
      const literal = String.fromCodePoint(glob.codePointAt(escaped ? at + 1 : at) ?? 0)
      out += RE2JS.quote(literal)
      at += literal.length + (escaped ? 1 : 0)
    }
  }
  if (depth > 0) throw new GlobError('The glob contains an unclosed "{".')
  return out
}

function isEnd(glob: string, at: number): boolean {
  return at === glob.length || /[,}]/.test(glob[at] ?? '')
}

/** Parses a `[…]` set. Returns null if the set is not closed. */
function readSet(glob: string, start: number): { source: string; end: number } | null {
  const negated = /[!^]/.test(glob[start + 1] ?? '')
  const from = start + (negated ? 2 : 1)
  const end = glob.indexOf(']', from + 1)
  if (end === -1) return null
  const inner = glob.slice(from, end).replace(/[\\[\]^&~]/g, '\\$&')
  return { source: `[${negated ? '^/' : ''}${inner}]`, end: end + 1 }
}
