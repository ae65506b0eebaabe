import type { Counter } from 'prom-client'

/** Counters of what this process has done since its start. */
export const EVENT_COUNTERS = {
  corrigenda_jobs_created_total: { help: 'Jobs created.', labels: [] },
  corrigenda_jobs_ended_total: {
    help: 'Ends of jobs. A follow-up continues a job, which then ends again.',
    labels: ['outcome', 'code'],
  },
  corrigenda_checks_total: { help: 'Results of the checks of ended jobs.', labels: ['check', 'status'] },
  corrigenda_pull_requests_total: {
    help: 'Pull requests opened, reopened, merged and closed without a merge.',
    labels: ['event'],
  },
  corrigenda_runs_ended_total: { help: 'Ended runs.', labels: ['kind'] },
  corrigenda_run_attempts_total: { help: 'Claims of ended runs.', labels: [] },
  corrigenda_run_recoveries_total: {
    help: 'Claims of ended runs that were lost with their worker.',
    labels: [],
  },
  corrigenda_run_releases_total: { help: 'Claims of ended runs that a worker gave up.', labels: ['reason'] },
  corrigenda_run_worked_seconds_total: { help: 'Time that workers spent on ended runs.', labels: [] },
  corrigenda_model_turns_total: { help: 'Turns of ended runs.', labels: ['model'] },
  corrigenda_model_tokens_total: { help: 'Tokens of ended runs.', labels: ['model', 'type'] },
  corrigenda_model_cost_dollars_total: {
    help: 'Model costs of ended runs in US dollars. Models without a price cost nothing.',
    labels: ['model'],
  },
  corrigenda_webhook_deliveries_total: {
    help: 'Webhook deliveries that were delivered or failed for good.',
    labels: ['status'],
  },
  corrigenda_deployments_total: { help: 'Ended deployments.', labels: ['status'] },
} as const satisfies Record<string, { readonly help: string; readonly labels: readonly string[] }>

export type EventCounter = keyof typeof EVENT_COUNTERS

type Labels<Name extends EventCounter> = Readonly<Record<(typeof EVENT_COUNTERS)[Name]['labels'][number], string>>

interface Counting {
  readonly counters: Readonly<Record<EventCounter, Counter>>
  readonly byProject: boolean
}

/** Null unless this process serves metrics. The counters belong to the process, not to a part of it. */
let counting: Counting | null = null

/** Sets the counters of this process, or null. Use `openMetrics`. */
export function setCounting(next: Counting | null): void {
  counting = next
}

export const isCounting = (): boolean => counting !== null

/**
 * Adds to a counter of this process. Does nothing if the process serves no metrics. Call it after
 * the transaction of the event is committed.
 */
export function countEvent<Name extends EventCounter>(
  name: Name,
  { projectId, value = 1, ...labels }: { readonly projectId: string; readonly value?: number } & Labels<Name>,
): void {
  // Nothing that is counted may fail what has been committed, as a negative value would.
  if (counting === null || !(value > 0)) return
  counting.counters[name].inc(counting.byProject ? { project: projectId, ...labels } : { ...labels }, value)
}
