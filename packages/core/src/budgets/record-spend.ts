import { BUDGET_WARNING_SHARE, type BudgetWarningPayload } from '@corrigenda/contracts'
import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'
import { CURRENT_MONTH, type Month, toMonth, toSpend } from './read-monthly-spend.ts'

/** Returned once per month, to the transaction that reaches the warning share of the budget. */
export interface InstanceWarning {
  readonly month: string
  readonly spentUsd: number
  readonly budgetUsd: number
}

export interface Spend {
  readonly runId: string
  /** The run's cost so far. The part that is already counted is not counted again. */
  readonly costUsd: number
  /** Null for no budget. */
  readonly instanceBudgetUsd: number | null
}

/**
 * Adds a run's new cost to the spend of the current month, and publishes `budget.warning` when it
 * reaches the warning share of the project's budget. Call it last in the transaction that stores
 * the turn, because all runs of the instance wait for the instance's row. The caller must hold the
 * run's lock.
 */
export async function recordSpend(tx: Db, spend: Spend): Promise<InstanceWarning | null> {
  const { runId, costUsd, instanceBudgetUsd } = spend
  // The parts join each other, so that all transactions lock the rows in the same order.
  const [spent] = await tx.$queryRaw<Row[]>`
    WITH added AS (
      UPDATE runs SET counted_cost_usd = ${costUsd}::numeric(14, 6)
      FROM (SELECT id, counted_cost_usd AS counted FROM runs WHERE id = ${runId}) before
      WHERE runs.id = before.id AND before.counted < ${costUsd}::numeric(14, 6)
      RETURNING runs.project_id, runs.counted_cost_usd - before.counted AS cost, ${CURRENT_MONTH} AS month
    ), project AS (
      INSERT INTO project_spend AS s (project_id, month, cost_usd) SELECT project_id, month, cost FROM added
      ON CONFLICT (project_id, month) DO UPDATE SET cost_usd = s.cost_usd + excluded.cost_usd
      RETURNING project_id, month, cost_usd, warned_at
    ), instance AS (
      INSERT INTO instance_spend AS s (month, cost_usd) SELECT month, added.cost FROM added JOIN project USING (month)
      ON CONFLICT (month) DO UPDATE SET cost_usd = s.cost_usd + excluded.cost_usd
      RETURNING cost_usd, warned_at
    )
    SELECT project.project_id, project.month::text AS month,
      project.warned_at IS NULL AND ${isNearBudget(Prisma.sql`project.cost_usd`)} AS shall_warn_project,
      instance.cost_usd::float8 AS spent, instance.warned_at IS NOT NULL AS is_instance_warned
    FROM project CROSS JOIN instance JOIN projects p ON p.id = project.project_id`
  if (!spent) return null
  const { month } = spent
  if (spent.shall_warn_project) await warnProject(tx, spent.project_id, month)
  if (instanceBudgetUsd === null || spent.is_instance_warned) return null
  if (spent.spent < instanceBudgetUsd * BUDGET_WARNING_SHARE) return null
  await tx.$executeRaw`UPDATE instance_spend SET warned_at = clock_timestamp() WHERE month = ${month}::date`
  return { month: month.slice(0, 7), spentUsd: spent.spent, budgetUsd: instanceBudgetUsd }
}

interface Row {
  project_id: string
  month: string
  shall_warn_project: boolean | null
  spent: number
  is_instance_warned: boolean
}

/** Condition that a spend has reached the warning share of the budget of `projects p`. */
const isNearBudget = (spent: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`${spent} >= p.monthly_budget_usd * ${BUDGET_WARNING_SHARE}::numeric`

async function warnProject(tx: Db, projectId: string, month: string): Promise<void> {
  const [warned] = await tx.$queryRaw<(Month & { spent: number; budget: number })[]>`
    UPDATE project_spend s SET warned_at = clock_timestamp() FROM projects p
    WHERE s.project_id = ${projectId} AND s.month = ${month}::date AND s.warned_at IS NULL
      AND p.id = s.project_id AND ${isNearBudget(Prisma.sql`s.cost_usd`)}
    RETURNING ${toMonth(Prisma.sql`s.month`)}, s.cost_usd::float8 AS spent, p.monthly_budget_usd::float8 AS budget`
  if (!warned) return
  const { budget: budgetUsd, spent } = warned
  const data: BudgetWarningPayload['data'] = { budget: { ...toSpend(warned, spent, null), projectId, budgetUsd } }
  await publishEvent(tx, { projectId, type: 'budget.warning', data })
}
