import type { AcceptedJob } from '../client/submit-job.ts'
import type { History } from '../history/history.ts'
import type { Tables } from './read-tables.ts'

/**
 * 503 means that the database is unavailable, or that the Git host has not responded yet. Any
 * other 5xx status is a bug in the service.
 */
const DOCUMENTED = new Set(['service_unavailable', 'cancel_pending'])

export function checkAnswers(history: History): string[] {
  return history
    .list('answer')
    .filter(({ status, code }) => status >= 500 && !(status === 503 && DOCUMENTED.has(code ?? '')))
    .map(({ method, status, code }) => `the API responded to ${method} with ${status} (${code})`)
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

/**
 * Checks that no process exited unexpectedly. Ignores exits in the 20 s after a Postgres fault,
 * because processes cannot start while their database is down.
 */
export function checkProcesses(history: History): string[] {
  const outages = history.list('act').filter(({ act }) => act.startsWith('postgres'))
  return history
    .list('exit')
    .filter(({ byItself, at }) => byItself && !outages.some((outage) => at > outage.at && at - outage.at < 20_000))
    .map(({ process, code, signal }) => `${process} exited unexpectedly (${signal ?? code})`)
}
