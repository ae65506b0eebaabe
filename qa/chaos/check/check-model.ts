import type { MessagesApi } from '@corrigenda/testkit'
import type { AcceptedJob } from '../client/submit-job.ts'
import type { InterruptedTurns } from './count-interrupted-turns.ts'
import type { Tables } from './read-tables.ts'

interface ModelCheck {
  readonly violations: string[]
  /** Number of model responses stored by runs. */
  readonly needed: number
  /**
   * Number of model responses that were requested again because their run was interrupted before it
   * stored them.
   */
  readonly repeated: number
  /**
   * The part of `repeated` that a kill -9 may have caused. Outages, stopped processes and similar
   * events caused the rest.
   */
  readonly repeatedByKills: number
}

/**
 * Checks that every conversation sent to the model extends an earlier one, and that the model
 * rejected no requests. An interruption may cause at most the turn in progress to be repeated.
 */
export function checkModel(
  model: MessagesApi,
  tables: Tables,
  jobs: readonly AcceptedJob[],
  interrupted: ReadonlyMap<string, InterruptedTurns>,
): ModelCheck {
  const violations = [
    ...model.violations().map(({ request, reason }) => `request ${request} to the model: ${reason}`),
    ...model.rejected().map((what) => `the model rejected a request: ${what}`),
  ]
  const answered = new Map<string, number>()
  for (const { label, status, end, fault } of model.requests) {
    if (status !== 200 || end !== 'complete' || fault !== undefined || label === undefined) continue
    const name = label.slice(0, label.lastIndexOf('/'))
    answered.set(name, (answered.get(name) ?? 0) + 1)
  }
  let [needed, repeated, repeatedByKills] = [0, 0, 0]
  for (const { id, plan } of jobs) {
    const run = tables.runs.find((one) => one.job_id === id)
    const row = tables.jobs.find((one) => one.id === id)
    if (!run || row?.outcome !== 'changed') continue
    const kept = tables.transcripts.get(run.id)?.answers ?? 0
    const more = (answered.get(plan.name) ?? 0) - kept
    needed += kept
    repeated += more
    const { killed, otherwise } = interrupted.get(id) ?? { killed: 0, otherwise: 0 }
    repeatedByKills += Math.max(0, Math.min(killed, more - otherwise))
    if (more > run.attempt - 1) {
      violations.push(`${plan.name} (${id}): repeated model turns: ${more}, attempts: ${run.attempt}`)
    }
  }
  return { violations, needed, repeated, repeatedByKills }
}
