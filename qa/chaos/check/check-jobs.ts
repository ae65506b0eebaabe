import type { AcceptedJob } from '../client/submit-job.ts'
import type { History } from '../history/history.ts'
import type { EventRow, JobRow, RunRow, Tables } from './read-tables.ts'

const TERMINAL = new Set(['job.completed', 'job.failed'])
/** Failure codes that an external outage may cause after enough attempts. */
const OUTAGE = /^(git_host_(server_error|network|timeout|rate_limited)|model_unavailable)$/
/** Number of failures and kills after which an outage may end a job. */
const MAX_FAILURES = 5

/**
 * Checks that every accepted job exists, has ended once and has events without gaps, and that no
 * other job exists.
 */
export function checkJobs(tables: Tables, jobs: readonly AcceptedJob[]): string[] {
  const found: string[] = []
  const rows = new Map(tables.jobs.map((row) => [row.id, row]))
  for (const { id, plan } of jobs) {
    const row = rows.get(id)
    const runs = tables.runs.filter((run) => run.job_id === id)
    const say = (what: string) => found.push(`${plan.name} (${id}): ${what}`)
    if (!row) say('was accepted but is lost')
    if (row?.status === 'active') say('has not ended')
    if (runs.length !== 1) say(`has ${runs.length} runs`)
    const [run] = runs
    if (!row || !run || row.status === 'active') continue
    for (const what of checkOne(row, run, tables.events.get(id) ?? [])) say(what)
    for (const what of checkOutcome(row, run, plan.cancelAfterMs !== null)) say(what)
    const transcript = tables.transcripts.get(run.id)
    if (transcript && transcript.max_seq !== transcript.rows - 1) say('its transcript has gaps')
    if (row.outcome === 'changed' && transcript?.answers !== plan.turns) {
      say(`model responses in its transcript: ${transcript?.answers ?? 0}, expected ${plan.turns}`)
    }
  }
  const accepted = new Set(jobs.map((job) => job.id))
  for (const row of tables.jobs)
    if (!accepted.has(row.id)) found.push(`${row.id}: exists although no response reported it`)
  return found
}

function checkOne(row: JobRow, run: RunRow, events: readonly EventRow[]): string[] {
  const found: string[] = []
  if (run.active) found.push('has ended but its run is active')
  if (events.some((event, index) => event.seq !== index + 1)) found.push('its events have gaps')
  if (events.length !== row.last_event_seq) found.push('its number of events does not match its event counter')
  const ends = events.filter((event) => TERMINAL.has(event.type))
  if (ends.length !== 1) found.push(`ended ${ends.length} times`)
  // Pull request updates are recorded after the job has ended and are not written by a run.
  const written = events.filter(({ type }) => type !== 'pull_request.updated')
  if (ends.length === 1 && written.at(-1) !== ends[0]) found.push('was changed after it ended')
  if (ends[0] && ends[0].type !== `job.${row.status}`)
    found.push(`is ${row.status} but its last event is ${ends[0].type}`)
  const attempts = events.flatMap(({ type, data }) =>
    type === 'job.started' || type === 'job.resumed' ? [Number(data.attempt)] : [],
  )
  if (attempts.some((attempt, index) => attempt !== index + 1) || attempts.length !== run.attempt) {
    found.push(`its claims are ${attempts.join(', ')} but its attempt is ${run.attempt}`)
  }
  return found
}

function checkOutcome(row: JobRow, run: RunRow, isCancelled: boolean): string[] {
  if (row.outcome === 'changed') return []
  if (row.outcome === 'cancelled') return isCancelled ? [] : ['was cancelled without a request']
  const code = row.failure_code ?? ''
  if (OUTAGE.test(code) && run.attempt - run.handovers >= MAX_FAILURES) return []
  return [`has the outcome ${row.outcome} (${row.failure_code}) after attempt ${run.attempt}`]
}

/** Checks that each job's status changes only once, from active to completed or failed. */
export function checkTransitions(history: History): string[] {
  return history
    .list('status')
    .filter(({ from, to }) => (from === null ? to === 'archived' : from !== 'active' || to === 'archived'))
    .map(({ job, from, to }) => `${job}: changed from ${from} to ${to}`)
}
