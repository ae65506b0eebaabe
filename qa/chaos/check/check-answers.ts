import type { AcceptedJob } from '../client/submit-job.ts'
import type { History } from '../history/history.ts'
import type { Tables } from './read-tables.ts'

/** 503 says that the database is away, or that the Git host has not told yet; everything else above 499 is a mistake of the service. */
const DOCUMENTED = new Set(['service_unavailable', 'cancel_pending'])

export function checkAnswers(history: History): string[] {
  return history
    .list('answer')
    .filter(({ status, code }) => status >= 500 && !(status === 503 && DOCUMENTED.has(code ?? '')))
    .map(({ method, status, code }) => `the API answered ${method} with ${status} (${code})`)
}

/** A job whose cancel was answered with 200 is cancelled; after any other answer it ended as the API said. */
export function checkCancels(history: History, tables: Tables, jobs: readonly AcceptedJob[]): string[] {
  return history.list('cancel').flatMap(({ job, status }) => {
    const outcome = tables.jobs.find((row) => row.id === job)?.outcome
    const name = jobs.find((one) => one.id === job)?.plan.name
    if (status === 200) return outcome === 'cancelled' ? [] : [`${name} (${job}): was cancelled, and is ${outcome}`]
    if (status === 409) return outcome === 'cancelled' ? [`${name} (${job}): is cancelled, and the answer was no`] : []
    return [`${name} (${job}): its cancel was answered with ${status}`]
  })
}

/** No process ended that nobody ended, but for one that cannot start while its database is away. */
export function checkProcesses(history: History): string[] {
  const outages = history.list('act').filter(({ act }) => act.startsWith('postgres'))
  return history
    .list('exit')
    .filter(({ byItself, at }) => byItself && !outages.some((outage) => at > outage.at && at - outage.at < 20_000))
    .map(({ process, code, signal }) => `${process} ended by itself (${signal ?? code})`)
}
