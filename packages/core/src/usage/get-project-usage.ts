import type { ProjectUsage, ProjectUsageQuery } from '@corrigenda/contracts'
import type { Database, PrismaDeps } from '../db/open-database.ts'

const DAY_MS = 86_400_000
/** Maximum number of users and keys in a report. */
const CREATORS = 50

type Outcome = keyof Omit<ProjectUsage['days'][number], 'day' | 'costUsd'>

/** A group of jobs. All fields but those of its kind are null. */
interface Group {
  kind: 'day' | 'model' | 'creator' | 'failure'
  day: string | null
  outcome: Outcome | null
  model: string | null
  created_by: string | null
  name: string | null
  failure_code: string | null
  jobs: number
  cost: number | null
}

interface Totals {
  open: number
  merged: number
  closed: number
  to_merge: number | null
  work: [number, number] | null
}

/**
 * Reports the usage of a project. Reads all jobs that were created in the period, with two
 * statements.
 */
export async function getProjectUsage(
  { prisma }: PrismaDeps,
  { projectId, days }: { projectId: string } & ProjectUsageQuery,
): Promise<ProjectUsage> {
  const today = Math.floor(Date.now() / DAY_MS)
  const since = new Date((today - days + 1) * DAY_MS)
  const [groups, [totals]] = await Promise.all([
    listGroups(prisma, { projectId, since }),
    readTotals(prisma, { projectId, since }),
  ])
  const of = (kind: Group['kind']) => groups.filter((group) => group.kind === kind)
  const byCost = of('creator').sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.jobs - a.jobs)
  return {
    days: toDays(of('day'), { first: today - days + 1, count: days }),
    models: of('model')
      .sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.jobs - a.jobs)
      .map(({ model, jobs, cost }) => ({ model: model ?? '', jobs, costUsd: cost })),
    creators: byCost.slice(0, CREATORS).map(({ created_by: id, name, jobs, cost }) => ({
      kind: id === null || id.startsWith('usr_') ? ('user' as const) : ('key' as const),
      name,
      jobs,
      costUsd: cost,
    })),
    failures: of('failure')
      .sort((a, b) => b.jobs - a.jobs)
      .map(({ failure_code: code, jobs }) => ({ code: code ?? 'unknown', jobs })),
    pullRequests: {
      open: totals.open,
      merged: totals.merged,
      closed: totals.closed,
      medianSecondsToMerge: totals.to_merge,
    },
    workSeconds: totals.work && { p50: totals.work[0], p95: totals.work[1] },
  }
}

/** Counts the jobs by day and outcome, by model, by creator and by failure code, and adds their costs. */
const listGroups = (prisma: Database['prisma'], { projectId, since }: { projectId: string; since: Date }) =>
  prisma.$queryRaw<Group[]>`
    SELECT CASE WHEN grouping(day) = 0 THEN 'day' WHEN grouping(model) = 0 THEN 'model'
        WHEN grouping(created_by) = 0 THEN 'creator' ELSE 'failure' END AS kind,
      day::text, outcome, model, created_by, max(created_by_name) AS name, failure_code,
      count(*)::int AS jobs, sum(cost_usd)::float8 AS cost
    FROM (
      SELECT (created_at AT TIME ZONE 'UTC')::date AS day, coalesce(outcome::text, 'active') AS outcome, model,
        created_by, created_by_name, cost_usd, CASE WHEN outcome = 'failed' THEN failure_code END AS failure_code
      FROM jobs WHERE project_id = ${projectId} AND created_at >= ${since}
    ) AS created
    GROUP BY GROUPING SETS ((day, outcome), (model), (created_by), (failure_code))
    HAVING grouping(failure_code) = 1 OR failure_code IS NOT NULL`

/** Counts the pull requests, and computes the times until they are merged and the working times. */
const readTotals = (prisma: Database['prisma'], { projectId, since }: { projectId: string; since: Date }) =>
  prisma.$queryRaw<[Totals]>`
    SELECT pulls.*, work.seconds AS work
    FROM (
      SELECT count(*) FILTER (WHERE pr_state = 'open')::int AS open,
        count(*) FILTER (WHERE pr_state = 'merged')::int AS merged,
        count(*) FILTER (WHERE pr_state = 'closed')::int AS closed,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM closed_at - jobs.created_at)::float8)
          FILTER (WHERE pr_state = 'merged') AS to_merge
      FROM jobs LEFT JOIN pull_request_watches ON job_id = id
      WHERE project_id = ${projectId} AND jobs.created_at >= ${since} AND pr_state IS NOT NULL
    ) AS pulls,
    (
      SELECT percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (
        ORDER BY worked_ms / 1000.0::float8 + coalesce(extract(epoch FROM ended_at - claimed_at)::float8, 0)
      ) AS seconds
      FROM runs
      WHERE project_id = ${projectId} AND kind IN ('create', 'message', 'retry') AND created_at >= ${since}
        AND started_at IS NOT NULL AND ended_at IS NOT NULL
    ) AS work`

/** @param range number of the first day since 1970, and the number of days */
function toDays(groups: readonly Group[], range: { first: number; count: number }): ProjectUsage['days'] {
  const days = Array.from({ length: range.count }, (_, index) => ({
    day: new Date((range.first + index) * DAY_MS).toISOString().slice(0, 10),
    changed: 0,
    no_changes: 0,
    needs_input: 0,
    failed: 0,
    cancelled: 0,
    active: 0,
    costUsd: 0,
  }))
  const byDay = new Map(days.map((day) => [day.day, day]))
  for (const { day, outcome, jobs, cost } of groups) {
    const entry = byDay.get(day ?? '')
    if (!entry || outcome === null) continue
    entry[outcome] += jobs
    entry.costUsd += cost ?? 0
  }
  return days
}
