/** A call to one of the product's tools. */
export interface Call {
  tool: string
  input: Record<string, unknown>
}

export interface CallResult {
  text: string
  isError: boolean
}

/** One turn, with a sentence for users and at most `maxCallsPerTurn` calls. */
export interface Step {
  say: string
  calls: Call[]
}

/**
 * A unit of work as a coroutine, which yields turns and receives their results. It must not read
 * anything else, so that a replay of recorded results leads to the same state.
 */
export type Plan<T> = Generator<Step, T, CallResult[]>

/**
 * Ending of a job. This is the input of `finish`, without the fields that the model script adds.
 */
export type Ending =
  | { outcome: 'changed'; title: string; body: string; evidence?: readonly Evidence[] }
  | { outcome: 'no_change' | 'needs_input' | 'impossible'; reason: string }

/** Lines of a source that support a change to a page. */
export interface Evidence {
  page: string
  source: string
  path: string
  fromLine: number
  toLine: number
  note: string
}

export const maxCallsPerTurn = 8

/** Ends the plan as impossible. The message is the reason that users see. */
export class GiveUp extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'GiveUp'
  }
}

/** Ends the plan with a question. The message is the question that users see. */
export class Question extends GiveUp {}

export function* callTool(say: string, tool: string, input: Record<string, unknown>): Plan<CallResult> {
  const results = yield { say, calls: [{ tool, input }] }
  return results[0] ?? { text: '', isError: true }
}

/** Runs calls in turns of at most eight. Results are in the order of the calls. */
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

/** Returns the first line of a tool's error, for use in a sentence. */
export function toReason(result: CallResult): string {
  return result.text.split('\n')[0]?.trim() || 'no reason was given'
}
