import type { Instruction, Program } from './compile-expression.ts'

/** Which matches in a text are searched. `row` means those that directly follow each other. */
export type Use = 'first' | 'all' | 'row'

/**
 * Counts the instructions that a matcher with backtracking executes to find matches in a text. Stops
 * at the limit. The count does not depend on the machine.
 */
export type CountSteps = (text: string, use: Use, limit: number) => number

const OPS: readonly Instruction['op'][] = ['match', 'set', 'split', 'store', 'moved', 'look', 'edge', 'back']
const [MATCH, SET, SPLIT, STORE, MOVED, LOOK, EDGE] = OPS.keys() as Iterable<number> as number[]
const EDGES = ['^', '$', '\\b', '\\B']

/** Builds the matcher of a pattern. Its instructions are in arrays of numbers, which are fast to read. */
export function buildStepCounter(program: Program): CountSteps {
  const { code, multiline } = program
  const list = (read: (one: Instruction) => number) => Int32Array.from(code, read)
  const ops = list(({ op }) => OPS.indexOf(op))
  const nexts = list((one) => (one.op === 'match' ? -1 : one.next))
  /** The set, the other branch, the slot, the start of the lookaround, or the kind of edge. */
  const operands = list((one) => {
    if (one.op === 'set') return one.kind
    if (one.op === 'split') return one.other
    if (one.op === 'look') return one.start
    if (one.op === 'edge') return EDGES.indexOf(one.source)
    return one.op === 'match' ? -1 : one.slot
  })
  /** 1 for an instruction that matches backwards, and for a negative lookaround. */
  const flags = list((one) =>
    Number(one.op === 'set' || one.op === 'back' ? one.behind : one.op === 'look' && one.negative),
  )

  // The characters that occurred in a text, by number, with the sets that contain them.
  const ids = new Map<string, number>()
  const sets: Uint8Array[] = []
  const words: boolean[] = []
  const toId = (char: string): number => {
    const known = ids.get(char)
    if (known !== undefined) return known
    ids.set(char, sets.length)
    words.push(/^\w$/.test(char))
    return sets.push(program.toSets(char)) - 1
  }
  const newline = toId('\n')

  return (text, use, limit) => {
    const line = Int32Array.from(program.unicode ? [...text] : text.split(''), toId)
    const isWord = (at: number) => words[line[at] ?? -1] === true
    let steps = 0
    let slots = new Int32Array(program.slots)
    /** Instructions and positions to continue at, and slots (as negative numbers) to restore. */
    const open: number[] = []

    const isAtEdge = (edge: number, at: number): boolean => {
      if (edge === 0) return at === 0 || (multiline && line[at - 1] === newline)
      if (edge === 1) return at === line.length || (multiline && line[at] === newline)
      return (isWord(at - 1) !== isWord(at)) === (edge === 2)
    }

    /** Returns the end of a match, or -1. */
    const run = (start: number, from: number): number => {
      const base = open.length
      open.push(start, from)
      while (open.length > base && steps < limit) {
        let at = open.pop() as number
        let pc = open.pop() as number
        if (pc < 0) {
          slots[-pc - 1] = at
          continue
        }
        for (;;) {
          steps += 1
          const op = ops[pc]
          if (op === MATCH) {
            open.length = base
            return at
          }
          if (steps >= limit) return -1
          const operand = operands[pc] as number
          const flag = flags[pc] === 1
          let passes = true
          if (op === SET) {
            const place = flag ? at - 1 : at
            passes = place >= 0 && place < line.length && sets[line[place] as number]?.[operand] === 1
            at += flag ? -1 : 1
          } else if (op === SPLIT) {
            open.push(operand, at)
          } else if (op === STORE) {
            open.push(-operand - 1, slots[operand] ?? -1)
            slots[operand] = at
          } else if (op === MOVED) {
            passes = slots[operand] !== at
          } else if (op === LOOK) {
            const before = slots.slice()
            passes = (run(operand, at) !== -1) !== flag
            if (!passes || flag) slots = before
          } else if (op === EDGE) {
            passes = isAtEdge(operand, at)
          } else {
            const first = slots[operand] ?? -1
            const last = slots[operand + 1] ?? -1
            const size = first < 0 || last < first ? 0 : last - first
            if (flag) at -= size
            for (let n = 0; n < size && passes; n += 1) {
              steps += 1
              passes = line[at + n] === line[first + n]
            }
            if (!flag) at += size
          }
          if (!passes) break
          pc = nexts[pc] as number
        }
      }
      return -1
    }

    for (let from = 0; from <= line.length && steps < limit; ) {
      slots.fill(-1)
      const end = run(program.start, from)
      if (end === -1 ? use === 'row' : use === 'first') break
      from = Math.max(from + 1, end)
    }
    return steps
  }
}
