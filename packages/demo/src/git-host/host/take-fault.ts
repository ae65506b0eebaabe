import type { Fault, Operation } from './types.ts'

export interface ArmedFault {
  readonly fault: Fault
  left: number
}

export function armFault(faults: ArmedFault[], fault: Fault): void {
  faults.push({ fault, left: fault.times ?? 1 })
}

/**
 * Returns the fault for this request and decrements its remaining count. `request` has the form
 * "METHOD path body". Faults are tried in the order they were armed.
 */
export function takeFault(faults: ArmedFault[], op: Operation, request: string): Fault | null {
  const index = faults.findIndex(
    ({ fault }) => (fault.op === '*' || fault.op === op) && request.includes(fault.match ?? ''),
  )
  const armed = faults[index]
  if (!armed) return null
  armed.left -= 1
  if (armed.left <= 0) faults.splice(index, 1)
  return armed.fault
}

/** Returns the status, body and headers of a `status` or `apply-then-status` fault. */
export function toFaultAnswer(fault: Fault): { status: number; body: string; headers: Record<string, string> } {
  const status = fault.status ?? 502
  if (fault.page !== undefined) {
    return { status, body: fault.page, headers: { 'content-type': 'text/html; charset=utf-8', ...fault.headers } }
  }
  const error = { message: fault.message ?? 'Server Error', documentation_url: 'https://docs.github.com/rest' }
  return {
    status,
    body: JSON.stringify(fault.body ?? { ...error, status: String(status) }),
    headers: { 'content-type': 'application/json; charset=utf-8', ...fault.headers },
  }
}
