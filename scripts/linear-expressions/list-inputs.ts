import { compileExpression, type Instruction, type Program } from './compile-expression.ts'

/** A text with a part that is repeated. */
export interface Input {
  readonly prefix: string
  readonly pump: string
  /** Ends, one of which may prevent a match. */
  readonly suffixes: readonly string[]
}

/** Repetitions above this count as any number while pumps are searched. */
const MOST = 2
/** Steps of one search for a pump. */
const MAX_VISITS = 2_000
const MAX_PREFIXES = 8
/** Greater than any state. */
const BASE = 100_000

/** Characters outside ASCII that patterns distinguish. */
const OTHERS = [...'é\u00a0\u200b\u2028\u2066\u3042\u4e2d\u0430\u0301\ufeff', '\u{1f600}']
const POOL = [...'a1 \n-_.', ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), ...OTHERS]

/** A state is the index of a `set` instruction, `at` or ANY. */
const ANY = -1

/**
 * Lists texts on which a pattern may need more than linear time: those with a part that the pattern,
 * or two attempts that start at different places, can match in two ways. Also lists a repetition of
 * each kind of character.
 */
export function listInputs(expression: RegExp): Input[] {
  const program = compileExpression(expression, MOST)
  const alphabet = toAlphabet(program)
  const automaton = buildAutomaton(program, alphabet)
  const prefixes = findPrefixes(automaton, alphabet)
  const inputs = new Map<string, Input>()
  const add = (prefix: string, pump: string, suffixes: readonly string[]) => {
    const other = alphabet.find((char) => char !== pump) ?? ''
    inputs.set(`${prefix}\0${pump}`, { prefix, pump, suffixes })
    // A loop at the start of the text may be matched at once.
    if (prefix === '') inputs.set(`\0\0${pump}`, { prefix: other, pump, suffixes })
  }
  const before = automaton.loops.map((state) => prefixes.get(state) ?? '')
  for (const pump of alphabet)
    for (const prefix of new Set(['', ...before.slice(0, MAX_PREFIXES)]))
      add(prefix, pump, ['', alphabet.find((char) => char !== pump) ?? ''])
  const suffixes = ['', ...alphabet, ...alphabet.map((char) => `\n${char}`)]
  for (const { state, pump } of findPumps(automaton, alphabet)) add(prefixes.get(state) ?? '', pump, suffixes)
  return [...inputs.values()]
}

/** Returns one character of each kind that the pattern distinguishes. */
function toAlphabet({ toSets }: Program): string[] {
  const kinds = new Map<string, string>()
  for (const char of POOL) {
    const kind = toSets(char).join('')
    if (!kinds.has(kind)) kinds.set(kind, char)
  }
  return [...kinds.values()]
}

interface Automaton {
  /** The states that can be reached from each state. */
  readonly reach: ReadonlyMap<number, ReadonlySet<number>>
  /** The states that can be reached from themselves. */
  readonly loops: readonly number[]
  readonly initial: readonly number[]
  /** Returns the states after a character. A state that is reached in two ways occurs twice. */
  step(state: number, char: string): readonly number[]
}

function buildAutomaton({ code, start, toSets, multiline }: Program, alphabet: readonly string[]): Automaton {
  const closures = new Map<string, number[]>()
  const close = (from: number, before: 'start' | 'line' | 'text'): number[] => {
    const key = `${from} ${before}`
    const known = closures.get(key)
    if (known !== undefined) return known
    const found: number[] = []
    const visit = (pc: number, path: ReadonlySet<number>): void => {
      const one = code[pc] as Instruction
      if (path.has(pc) || found.length > 400) return
      const on = new Set(path).add(pc)
      if (one.op === 'set') found.push(pc)
      else if (one.op === 'split') {
        visit(one.next, on)
        visit(one.other, on)
      } else if (one.op === 'look') {
        visit(one.start, on)
        visit(one.next, on)
      } else if (one.op === 'edge') {
        const isStart = before === 'start' || (multiline && before === 'line')
        if (one.source === '^' ? isStart : one.source !== '$' || multiline) visit(one.next, on)
      } else if (one.op !== 'match') visit(one.next, on)
    }
    visit(from, new Set())
    closures.set(key, found)
    return found
  }
  const known = new Map(alphabet.map((char) => [char, new Map<number, readonly number[]>()]))
  const step = (state: number, char: string): readonly number[] => {
    let next = known.get(char)?.get(state)
    if (next === undefined) {
      const before = char === '\n' ? 'line' : 'text'
      const one = code[state]
      if (state === ANY) next = [ANY, ...close(start, before)]
      else next = one?.op === 'set' && toSets(char)[one.kind] === 1 ? close(one.next, before) : []
      known.get(char)?.set(state, next)
    }
    return next
  }
  const states = [ANY, ...code.flatMap((one, at) => (one.op === 'set' ? [at] : []))]
  const reach = new Map(states.map((state) => [state, toReach(state, step, alphabet)]))
  const loops = states.filter((state) => reach.get(state)?.has(state))
  return { reach, loops, initial: [ANY, ...close(start, 'start')], step }
}

/** Returns a shortest text before each state. */
function findPrefixes({ initial, step }: Automaton, alphabet: readonly string[]): Map<number, string> {
  const found = new Map(initial.map((state) => [state, '']))
  for (const [state, prefix] of found)
    for (const char of alphabet)
      for (const next of step(state, char)) if (!found.has(next)) found.set(next, prefix + char)
  return found
}

/**
 * Finds a state and a text that leads from it to itself and also to another state, which the text
 * leads to itself. On a repetition of the text, the number of ways to match grows with its length.
 */
function findPumps(automaton: Automaton, alphabet: readonly string[]): { state: number; pump: string }[] {
  const { reach, loops } = automaton
  return loops.flatMap((p) =>
    loops.flatMap((q) => {
      const pump = reach.get(p)?.has(q) ? findPump(p, q, automaton, alphabet) : null
      return pump === null ? [] : [{ state: p, pump }]
    }),
  )
}

function toReach(from: number, step: Automaton['step'], alphabet: readonly string[]): Set<number> {
  const found = new Set<number>()
  const open = [from]
  for (let state = open.pop(); state !== undefined; state = open.pop())
    for (const char of alphabet)
      for (const next of step(state, char))
        if (!found.has(next)) {
          found.add(next)
          open.push(next)
        }
  return found
}

/** Searches triples of states in parallel. If `p` is `q`, two different ways are necessary. */
function findPump(p: number, q: number, { step, reach }: Automaton, alphabet: readonly string[]): string | null {
  interface Triple {
    readonly at: readonly [number, number, number]
    readonly isSplit: boolean
    readonly text: string
  }
  const leadsTo = (from: number, to: number) => reach.get(from)?.has(to) ?? false
  const seen = new Set<number>()
  const open: Triple[] = [{ at: [p, p, q], isSplit: p !== q, text: '' }]
  for (const { at, isSplit, text } of open) {
    if (open.length > MAX_VISITS) return null
    for (const char of alphabet) {
      const [first, middle, last] = at.map((state) => step(state, char))
      for (const x of first ?? []) {
        if (!leadsTo(x, p)) continue
        for (const z of last ?? []) {
          if (!leadsTo(z, q)) continue
          for (const [index, y] of middle?.entries() ?? []) {
            if (!leadsTo(y, q)) continue
            const isNext = isSplit || y !== x || middle?.indexOf(y) !== index
            const key = (((x + 1) * BASE + y + 1) * BASE + z + 1) * 2 + Number(isNext)
            if (seen.has(key)) continue
            seen.add(key)
            if (isNext && x === p && y === q && z === q) return text + char
            open.push({ at: [x, y, z], isSplit: isNext, text: text + char })
          }
        }
      }
    }
  }
  return null
}
