import type { Action } from './action.ts'
import { FOREIGN_ACTIONS } from './foreign-actions.ts'
import type { Intruder } from './intruder.ts'
import { JOB_ACTIONS } from './job-actions.ts'
import { LOAD_ACTIONS } from './load-actions.ts'
import { MEMBER_ACTIONS } from './member-actions.ts'
import { SETTINGS_ACTIONS } from './settings-actions.ts'

const ACTIONS: readonly Action[] = [
  ...JOB_ACTIONS,
  ...SETTINGS_ACTIONS,
  ...MEMBER_ACTIONS,
  ...LOAD_ACTIONS,
  ...FOREIGN_ACTIONS,
]
/** Each action, as often as its weight. */
const WEIGHTED = ACTIONS.flatMap((action) => Array.from({ length: action.weight }, () => action))

/** Runs a number of random actions. Returns how often each was run. */
export async function runWalk(
  intruder: Intruder,
  input: { first: number; actions: number },
): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  for (let n = input.first; n < input.first + input.actions; n += 1) {
    const action = intruder.random.pick(WEIGHTED)
    intruder.action = `action ${n} (${action.name})`
    times.set(action.name, (times.get(action.name) ?? 0) + 1)
    try {
      await action.run(intruder)
    } catch (error) {
      intruder.found.push(
        `${intruder.action}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      )
    }
  }
  return times
}

/** Closes everything that the intruder keeps open. */
export function closeAll({ open }: Intruder): void {
  for (const close of open) close()
  open.clear()
}
