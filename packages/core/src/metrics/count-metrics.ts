/** A counter whose value is in the table `metric_counts`. */
export interface CountMetric {
  readonly name: string
  readonly help: string
  /** Names of the labels in the columns `label` and `detail`. */
  readonly labels: readonly [label?: string, detail?: string]
  /** Value of one unit of the column `value`. Default: 1. */
  readonly unit?: number
}

/** Counters by the column `metric`. A trigger of the migration `metric_counts` fills each of them. */
export const COUNT_METRICS: Readonly<Record<string, CountMetric>> = {
  jobs_created: { name: 'corrigenda_jobs_created_total', help: 'Jobs created.', labels: [] },
  jobs_ended: {
    name: 'corrigenda_jobs_ended_total',
    help: 'Ends of jobs. A follow-up continues a job, which then ends again.',
    labels: ['outcome', 'code'],
  },
  checks: {
    name: 'corrigenda_checks_total',
    help: 'Results of the checks of ended jobs.',
    labels: ['check', 'status'],
  },
  pull_requests: {
    name: 'corrigenda_pull_requests_total',
    help: 'Pull requests opened, reopened, merged and closed without a merge.',
    labels: ['event'],
  },
  runs: { name: 'corrigenda_runs_ended_total', help: 'Ended runs.', labels: ['kind'] },
  attempts: { name: 'corrigenda_run_attempts_total', help: 'Claims of ended runs.', labels: [] },
  recoveries: {
    name: 'corrigenda_run_recoveries_total',
    help: 'Claims of ended runs that were lost with their worker.',
    labels: [],
  },
  releases: {
    name: 'corrigenda_run_releases_total',
    help: 'Claims of ended runs that a worker gave up.',
    labels: ['reason'],
  },
  worked_ms: {
    name: 'corrigenda_run_worked_seconds_total',
    help: 'Time that workers spent on ended runs.',
    labels: [],
    unit: 0.001,
  },
  turns: { name: 'corrigenda_model_turns_total', help: 'Turns of ended runs.', labels: ['model'] },
  tokens: { name: 'corrigenda_model_tokens_total', help: 'Tokens of ended runs.', labels: ['model', 'type'] },
  cost: {
    name: 'corrigenda_model_cost_dollars_total',
    help: 'Model costs in US dollars, counted at each turn. Models without a price cost nothing.',
    labels: ['model'],
  },
  deliveries: {
    name: 'corrigenda_webhook_deliveries_total',
    help: 'Webhook deliveries that were delivered or failed for good.',
    labels: ['status'],
  },
  deployments: { name: 'corrigenda_deployments_total', help: 'Ended deployments.', labels: ['status'] },
}
