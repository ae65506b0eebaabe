import { BUDGET_WARNING_SHARE, type BudgetWarningPayload } from '@corrigenda/contracts'
import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'
import { CURRENT_MONTH, type Month, SPEND_TABLES, toMonth, toSpend } from './read-monthly-spend.ts'

/** Returned once per month, to the transaction that reaches the warning share of the budget. */
export interface InstanceWarning {
  readonly month: string
  readonly spentUsd: number
  readonly budgetUsd: number
}

/**
 * Statements for `writeRun` that add a run's new cost to the spend of the current month. The part
 * of the cost that is already counted is not counted again. All runs of the instance wait for the
 * instance's row, so the transaction must end soon.
 * @param costUsd the run's cost so far
 */
export const countSpend = (costUsd: number): Readonly<Record<string, Prisma.Sql>> => ({
  // The parts join each other, so that all transactions lock the rows in the same order.
  counted: Prisma.sql`UPDATE runs SET counted_cost_usd = ${costUsd}::numeric(14, 6)
    FROM held JOIN job ON job.id = held.job_id
    WHERE runs.id = held.id AND held.counted_cost_usd < ${costUsd}::numeric(14, 6)
    RETURNING held.project_id, runs.counted_cost_usd - held.counted_cost_usd AS cost, ${CURRENT_MONTH} AS month`,
  project_total: Prisma.sql`INSERT INTO project_spend AS s (project_id, month, cost_usd)
    SELECT project_id, month, cost FROM counted
    ON CONFLICT (project_id, month) DO UPDATE SET cost_usd = s.cost_usd + excluded.cost_usd
    RETURNING month, cost_usd, warned_at`,
  instance_total: Prisma.sql`INSERT INTO instance_spend AS s (month, cost_usd)
    SELECT month, counted.cost FROM counted JOIN project_total USING (month)
    ON CONFLICT (month) DO UPDATE SET cost_usd = s.cost_usd + excluded.cost_usd
    RETURNING cost_usd, warned_at`,
})

/** Joins the spend of the run's project before {@link countSpend} to `held`. */
export const SPEND_JOINS = Prisma.sql`JOIN (${SPEND_TABLES}) ON projects.id = held.project_id`

/** Columns of {@link CountedSpend}. */
export const COUNTED_COLUMNS = Prisma.sql`held.project_id, project_total.month::text AS counted_month,
  project_total.cost_usd::float8 AS project_total,
  project_total.warned_at IS NULL AND ${isNearBudget(Prisma.sql`project_total.cost_usd`)} AS warns_project,
  instance_total.cost_usd::float8 AS instance_total, instance_total.warned_at IS NOT NULL AS is_instance_warned`

/** Joins the results of {@link countSpend} to `held`. They are empty if the cost was already counted. */
export const COUNTED_JOINS = Prisma.sql`LEFT JOIN project_total ON true LEFT JOIN instance_total ON true`

/** The spend after {@link countSpend}; without a month and totals if the cost was already counted. */
export interface CountedSpend {
  readonly project_id: string
  readonly counted_month: string | null
  readonly project_total: number | null
  readonly warns_project: boolean | null
  readonly instance_total: number | null
  readonly is_instance_warned: boolean
}

/**
 * Publishes `budget.warning` if the project's spend has reached the warning share of its budget,
 * and returns a warning if the instance's has. Call it in the transaction that counts the spend.
 */
export async function warnAboutBudgets(
  tx: Db,
  counted: CountedSpend,
  instanceBudgetUsd: number | null,
): Promise<InstanceWarning | null> {
  const { project_id: projectId, counted_month: month, instance_total: spentUsd } = counted
  if (month === null || spentUsd === null) return null
  if (counted.warns_project) await warnProject(tx, projectId, month)
  if (instanceBudgetUsd === null || counted.is_instance_warned) return null
  if (spentUsd < instanceBudgetUsd * BUDGET_WARNING_SHARE) return null
  await tx.$executeRaw`UPDATE instance_spend SET warned_at = clock_timestamp() WHERE month = ${month}::date`
  return { month: month.slice(0, 7), spentUsd, budgetUsd: instanceBudgetUsd }
}

/** Condition that a spend has reached the warning share of the budget of `projects`. */
function isNearBudget(spent: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${spent} >= projects.monthly_budget_usd * ${BUDGET_WARNING_SHARE}::numeric`
}

async function warnProject(tx: Db, projectId: string, month: string): Promise<void> {
  const [warned] = await tx.$queryRaw<(Month & { spent: number; budget: number })[]>`
    UPDATE project_spend s SET warned_at = clock_timestamp() FROM projects
    WHERE s.project_id = ${projectId} AND s.month = ${month}::date AND s.warned_at IS NULL
      AND projects.id = s.project_id AND ${isNearBudget(Prisma.sql`s.cost_usd`)}
    RETURNING ${toMonth(Prisma.sql`s.month`)}, s.cost_usd::float8 AS spent, projects.monthly_budget_usd::float8 AS budget`
  if (!warned) return
  const { budget: budgetUsd, spent } = warned
  const data: BudgetWarningPayload['data'] = { budget: { ...toSpend(warned, spent, null), projectId, budgetUsd } }
  await publishEvent(tx, { projectId, type: 'budget.warning', data })
}
