import { type Part, parseExpression } from './parse-expression.ts'

/** An instruction of a matcher that backtracks. `next` and `other` are indices of instructions. */
export type Instruction =
  /** Matches one character. `kind` numbers the set of characters. */
  | { readonly op: 'set'; readonly kind: number; readonly behind: boolean; next: number }
  /** Continues at `next`, and at `other` if that fails. */
  | { readonly op: 'split'; next: number; other: number }
  | { readonly op: 'edge'; readonly source: string; next: number }
  | { readonly op: 'look'; readonly start: number; readonly negative: boolean; next: number }
  /** Stores the position. `moved` fails if it is still the same. */
  | { readonly op: 'store'; readonly slot: number; next: number }
  | { readonly op: 'moved'; readonly slot: number; next: number }
  | { readonly op: 'back'; readonly slot: number; readonly behind: boolean; next: number }
  | { readonly op: 'match' }

export interface Program {
  readonly code: readonly Instruction[]
  readonly start: number
  /** Returns which sets contain a character: 1 at the numbers of these sets. */
  readonly toSets: (char: string) => Uint8Array
  readonly slots: number
  readonly multiline: boolean
  readonly unicode: boolean
}

/** Larger repetitions are cut, so that the program has a limited size. */
const MAX_CODE = 60_000

/** @param most repetitions that are distinguished. More than that count as any number. */
export function compileExpression(expression: RegExp, most = Number.POSITIVE_INFINITY): Program {
  const code: Instruction[] = []
  const add = (instruction: Instruction) => code.push(instruction) - 1
  const flags = expression.flags.replace(/[gymd]/g, '')
  const sets = new Map<string, number>()
  const slots = new Map<string, number>()
  const toNumber = (map: Map<string, number>, key: string) => {
    const known = map.get(key) ?? map.size
    map.set(key, known)
    return known
  }
  /** The slot of the start of a group. The next one is that of its end. */
  const toGroup = (name: string) => {
    const start = toNumber(slots, `start of ${name}`)
    toNumber(slots, `end of ${name}`)
    return start
  }

  const compile = (part: Part, next: number, behind: boolean): number => {
    switch (part.kind) {
      case 'set':
        return add({ op: 'set', kind: toNumber(sets, part.source), behind, next })
      case 'edge':
        return add({ op: 'edge', source: part.source, next })
      case 'back':
        return add({ op: 'back', slot: toGroup(part.name), behind, next })
      case 'sequence': {
        const parts = behind ? part.parts : [...part.parts].reverse()
        return parts.reduce((after, inner) => compile(inner, after, behind), next)
      }
      case 'choice':
        return part.parts
          .map((inner) => compile(inner, next, behind))
          .reduceRight((other, first) => add({ op: 'split', next: first, other }))
      case 'group': {
        const start = toGroup(part.name)
        const [first, last] = behind ? [start + 1, start] : [start, start + 1]
        const inner = compile(part.part, add({ op: 'store', slot: last, next }), behind)
        return add({ op: 'store', slot: first, next: inner })
      }
      case 'look': {
        const start = compile(part.part, add({ op: 'match' }), part.behind)
        return add({ op: 'look', start, negative: part.negative, next })
      }
      case 'loop':
        return compileLoop(part, next, behind)
    }
  }

  const compileLoop = ({ part, min, max, lazy }: Part & { kind: 'loop' }, next: number, behind: boolean): number => {
    const choose = (body: number, after: number) =>
      add(lazy ? { op: 'split', next: after, other: body } : { op: 'split', next: body, other: after })
    let start = next
    if (max > most || max === Number.POSITIVE_INFINITY) {
      if (part.kind === 'set') {
        const body = add({ op: 'set', kind: toNumber(sets, part.source), behind, next: 0 })
        start = choose(body, next)
        Object.assign(code[body] ?? {}, { next: start })
      } else {
        const slot = toNumber(slots, `loop ${code.length}`)
        const moved = add({ op: 'moved', slot, next: 0 })
        start = choose(add({ op: 'store', slot, next: compile(part, moved, behind) }), next)
        Object.assign(code[moved] ?? {}, { next: start })
      }
    } else {
      for (let count = min; count < max && code.length < MAX_CODE; count += 1)
        start = choose(compile(part, start, behind), next)
    }
    for (let count = 0; count < Math.min(min, most) && code.length < MAX_CODE; count += 1)
      start = compile(part, start, behind)
    return start
  }

  const start = compile(parseExpression(expression), add({ op: 'match' }), false)
  const { multiline, unicode, unicodeSets } = expression
  return {
    code,
    start,
    toSets: buildSets([...sets.keys()].map((source) => new RegExp(`^(?:${source})$`, flags))),
    slots: slots.size,
    multiline,
    unicode: unicode || unicodeSets,
  }
}

function buildSets(patterns: readonly RegExp[]): Program['toSets'] {
  const known = new Map<string, Uint8Array>()
  return (char) => {
    const sets = known.get(char) ?? Uint8Array.from(patterns, (pattern) => Number(pattern.test(char)))
    known.set(char, sets)
    return sets
  }
}
