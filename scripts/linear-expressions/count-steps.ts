import type { Program } from './compile-expression.ts'

/**
 * Counts the instructions that a matcher with backtracking executes to find the first match in a
 * text, all matches, or those that directly follow each other (`row`). Stops at the limit. The count
 * does not depend on the machine.
 */
export function countSteps(program: Program, text: string, use: 'first' | 'all' | 'row', limit: number): number {
  const { code, multiline } = program
  const chars = program.unicode ? [...text] : text.split('')
  const kinds = [...new Set(chars)]
  const ids = new Map(kinds.map((char, id) => [char, id]))
  const line = Int32Array.from(chars, (char) => ids.get(char) ?? 0)
  const sets = kinds.map(program.toSets)
  const newline = ids.get('\n') ?? -1
  const words = kinds.map((char) => /^\w$/.test(char))
  const isWord = (at: number) => words[line[at] ?? -1] === true
  let steps = 0
  let slots = new Int32Array(program.slots)

  const isAtEdge = (source: string, at: number): boolean => {
    if (source === '^') return at === 0 || (multiline && line[at - 1] === newline)
    if (source === '$') return at === line.length || (multiline && line[at] === newline)
    return (isWord(at - 1) !== isWord(at)) === (source === '\\b')
  }

  /** Returns the end of a match, or -1. */
  const run = (start: number, from: number): number => {
    /** Instructions and positions to continue at, and slots (as negative numbers) to restore. */
    const open: number[] = [start, from]
    while (open.length > 0 && steps < limit) {
      let at = open.pop() as number
      let pc = open.pop() as number
      if (pc < 0) {
        slots[-pc - 1] = at
        continue
      }
      for (;;) {
        steps += 1
        const one = code[pc] as Program['code'][number]
        if (one.op === 'match') return at
        if (steps >= limit) return -1
        let passes = true
        if (one.op === 'set') {
          const place = one.behind ? at - 1 : at
          passes = sets[line[place] ?? -1]?.[one.kind] === 1
          at += one.behind ? -1 : 1
        } else if (one.op === 'split') {
          open.push(one.other, at)
        } else if (one.op === 'store') {
          open.push(-one.slot - 1, slots[one.slot] ?? -1)
          slots[one.slot] = at
        } else if (one.op === 'moved') {
          passes = slots[one.slot] !== at
        } else if (one.op === 'look') {
          const before = slots.slice()
          passes = (run(one.start, at) !== -1) !== one.negative
          if (!passes || one.negative) slots = before
        } else if (one.op === 'edge') {
          passes = isAtEdge(one.source, at)
        } else {
          const [first = -1, last = -1] = [slots[one.slot], slots[one.slot + 1]]
          const size = first < 0 || last < first ? 0 : last - first
          if (one.behind) at -= size
          for (let n = 0; n < size && passes; n += 1) {
            steps += 1
            passes = line[at + n] === line[first + n]
          }
          if (!one.behind) at += size
        }
        if (!passes) break
        pc = one.next
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
