import type { MessagesRequest } from '@corrigenda/demo/messages-api'
import type { BrainTurn } from './brain.ts'
import type { Fault, InjectedFault } from './fault.ts'

export interface Faults {
  /** Put in from outside, first come first served. */
  injected: InjectedFault[]
  /** Fault key → how often it happened. */
  happened: Map<string, number>
}

/**
 * The fault that hits this request, or null: an injected one that matches, else the brain's own while it is not used up.
 * @param requestHash stands in for the key of a brain's fault that has none
 */
export function pickFault(
  faults: Faults,
  request: MessagesRequest,
  turn: BrainTurn,
  requestHash: string,
): Fault | null {
  const index = faults.injected.findIndex((fault) => fault.match?.(request) ?? true)
  const injected = faults.injected[index]
  if (injected) {
    const left = (injected.times ?? 1) - 1
    if (left <= 0) faults.injected.splice(index, 1)
    else faults.injected[index] = { ...injected, times: left }
    return injected
  }
  if (!turn.fault) return null
  const key = `${turn.fault.kind}/${turn.fault.key ?? requestHash}`
  const happened = faults.happened.get(key) ?? 0
  if (happened >= (turn.fault.times ?? 1)) return null
  faults.happened.set(key, happened + 1)
  return turn.fault
}
