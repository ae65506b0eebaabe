import type { AcceptedJob } from '../client/submit-job.ts'
import type { History } from '../history/history.ts'
import type { Tables } from './read-tables.ts'

/**
 * 503 means that the database is unavailable, that the Git host has not responded yet, or that a
 * connection to the database was lost during the request. Any other 5xx status is a bug in the service.
 */
const DOCUMENTED = new Set(['service_unavailable', 'cancel_pending'])
/** Time after a fault of the database in which connections are lost and processes cannot start, in ms. */
const OUTAGE_MS = 20_000

export function checkAnswers(history: History): string[] {
  const isInOutage = toOutages(history)
  return history
    .list('answer')
    .filter(({ status }) => status >= 500)
    .filter(({ status, code, at }) => {
      const isDocumented = DOCUMENTED.has(code ?? '') || (code === 'outcome_unknown' && isInOutage(at))
      return !(status === 503 && isDocumented)
    })
    .map(({ method, status, code }) => `the API responded to ${method} with ${status} (${code})`)
}

function toOutages(history: History): (at: number) => boolean {
  const outages = history.list('act').filter(({ act }) => /^(postgres|pooler)/.test(act))
  return (at) => outages.some((outage) => at >= outage.at && at - outage.at < OUTAGE_MS)
}

/**
 * Checks that a job is cancelled if its cancel request returned 200, and is not cancelled if the
 * request returned 409. Any other status is a violation.
 */
export function checkCancels(history: History, tables: Tables, jobs: readonly AcceptedJob[]): string[] {
  return history.list('cancel').flatMap(({ job, status }) => {
    const outcome = tables.jobs.find((row) => row.id === job)?.outcome
    const name = jobs.find((one) => one.id === job)?.plan.name
    if (status === 200)
      return outcome === 'cancelled' ? [] : [`${name} (${job}): cancel returned 200 but the outcome is ${outcome}`]
    if (status === 409)
      return outcome === 'cancelled' ? [`${name} (${job}): cancel returned 409 but the job is cancelled`] : []
    return [`${name} (${job}): cancel returned ${status}`]
  })
}

/** Checks that no process exited unexpectedly, except while its database was down. */
export function checkProcesses(history: History): string[] {
  const isInOutage = toOutages(history)
  return history
    .list('exit')
    .filter(({ byItself, at }) => byItself && !isInOutage(at))
    .map(({ process, code, signal }) => `${process} exited unexpectedly (${signal ?? code})`)
}
