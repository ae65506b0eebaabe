import type { MessagesRequest } from '@corrigenda/demo/messages-api'
import type { Fault, InjectedFault } from './fault.ts'
import type { ModelTurn } from './model-script.ts'

export interface Faults {
  /** Faults injected by a test, in injection order. */
  injected: InjectedFault[]
  /** Number of occurrences so far, keyed by fault key. */
  happened: Map<string, number>
}

/**
 * Returns the fault for this request, or null. A matching injected fault takes precedence over the
 * model script's fault, which applies until it is used up.
 * @param requestHash counter key for a model script's fault that has no `key`
 */
export function pickFault(
  faults: Faults,
  request: MessagesRequest,
  turn: ModelTurn,
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
