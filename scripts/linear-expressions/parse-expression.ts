/** The structure of a regular expression. */
export type Part =
  /** One character, as written: `a`, `\s`, `[^x]`. */
  | { readonly kind: 'set'; readonly source: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'loop'; readonly part: Part; readonly min: number; readonly max: number; readonly lazy: boolean }
  | { readonly kind: 'group'; readonly part: Part; readonly name: string }
  | { readonly kind: 'look'; readonly part: Part; readonly behind: boolean; readonly negative: boolean }
  | { readonly kind: 'edge'; readonly source: string }
  | { readonly kind: 'back'; readonly name: string }

const ESCAPE = /\\(?:u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[\s\S])/uy
const REFERENCE = /\\(?:k<([^>]*)>|([1-9]\d*))/y
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y
const GROUP = /\((?:\?(?:<([^>=!][^>]*)>|(<?[=!])|:))?/y

/** Parses a valid regular expression. Groups are named by number unless they have a name. */
export function parseExpression({ source, unicode, unicodeSets }: RegExp): Part {
  let at = 0
  let groups = 0
  const read = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found !== null) at = pattern.lastIndex
    return found
  }

  const readClass = (): Part => {
    const start = at
    let depth = 0
    do {
      if (source[at] === '\\') read(ESCAPE)
      else {
        if (source[at] === '[' && (depth === 0 || unicodeSets)) depth += 1
        else if (source[at] === ']') depth -= 1
        at += 1
      }
    } while (depth > 0)
    return { kind: 'set', source: source.slice(start, at) }
  }

  const readAtom = (): Part => {
    const char = source[at] ?? ''
    if (char === '[') return readClass()
    if (char === '(') return readGroup()
    if (char === '\\') {
      const reference = read(REFERENCE)
      if (reference !== null) return { kind: 'back', name: reference[1] ?? reference[2] ?? '' }
      const [text = ''] = read(ESCAPE) ?? []
      return { kind: /^\\[bB]$/.test(text) ? 'edge' : 'set', source: text }
    }
    if (char === '^' || char === '$') {
      at += 1
      return { kind: 'edge', source: char }
    }
    const point = unicode || unicodeSets ? String.fromCodePoint(source.codePointAt(at) ?? 0) : char
    at += point.length
    return { kind: 'set', source: point }
  }

  const readGroup = (): Part => {
    const [open = '', name, look] = read(GROUP) ?? []
    if (open === '(?' || (open === '(' && source[at] === '?')) throw new Error(`unknown group in /${source}/`)
    if (open === '(') groups += 1
    const own = name === undefined ? String(groups) : name
    if (name !== undefined) groups += 1
    const part = readChoice()
    at += 1
    if (look !== undefined) return { kind: 'look', part, behind: look.startsWith('<'), negative: look.endsWith('!') }
    return open === '(?:' ? part : { kind: 'group', part, name: own }
  }

  const readSequence = (): Part => {
    const parts: Part[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const part = readAtom()
      const found = read(QUANTIFIER)
      if (found === null) parts.push(part)
      else {
        const [, sign, low, comma, high, lazy] = found
        const min = sign === undefined ? Number(low) : sign === '+' ? 1 : 0
        const most = sign === '?' ? 1 : sign !== undefined || (comma && !high) ? Number.POSITIVE_INFINITY : null
        parts.push({ kind: 'loop', part, min, max: most ?? (Number(high) || min), lazy: lazy !== '' })
      }
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'sequence', parts }
  }

  const readChoice = (): Part => {
    const parts = [readSequence()]
    while (source[at] === '|') {
      at += 1
      parts.push(readSequence())
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts }
  }

  const part = readChoice()
  if (at < source.length) throw new Error(`cannot read /${source}/ after ${at} characters`)
  return part
}
