/** A call of one of the product's tools. */
export interface Call {
  tool: string
  input: Record<string, unknown>
}

export interface CallResult {
  text: string
  isError: boolean
}

/** One turn: a sentence for whoever watches, and the calls. At most `maxCallsPerTurn` of them. */
export interface Step {
  say: string
  calls: Call[]
}

/**
 * A piece of work as a coroutine: it yields turns and is given their results. It may look at nothing else, so that
 * running it again over recorded results leads to the same place.
 */
export type Plan<T> = Generator<Step, T, CallResult[]>

/** How a job ends: the input of `finish`, without what the brain adds. */
export type Ending =
  | { outcome: 'changed'; title: string; body: string }
  | { outcome: 'no_change' | 'needs_input' | 'impossible'; reason: string }

export const maxCallsPerTurn = 8

/** Ends the plan as impossible; the message says why, for the person who asked. */
export class GiveUp extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'GiveUp'
  }
}

export function* callTool(say: string, tool: string, input: Record<string, unknown>): Plan<CallResult> {
  const results = yield { say, calls: [{ tool, input }] }
  return results[0] ?? { text: '', isError: true }
}

/** Calls in turns of at most eight. Results come in the order of the calls. */
export function* callTools(say: string, calls: readonly Call[]): Plan<CallResult[]> {
  const results: CallResult[] = []
  for (let start = 0; start < calls.length; start += maxCallsPerTurn) {
    const batch = calls.slice(start, start + maxCallsPerTurn)
    const part = calls.length > maxCallsPerTurn ? ` (${start + 1} to ${start + batch.length} of ${calls.length})` : ''
    const given = yield { say: `${say}${part}`, calls: batch }
    results.push(...batch.map((_, index) => given[index] ?? { text: '', isError: true }))
  }
  return results
}

/** The first line of a tool's error, for a sentence of our own. */
export function toReason(result: CallResult): string {
  return result.text.split('\n')[0]?.trim() || 'no reason was given'
}
