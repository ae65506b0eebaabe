import type { MonthlySpend } from '@corrigenda/contracts'
import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** The first day of the current month in UTC, by the database clock. */
export const CURRENT_MONTH = Prisma.sql`date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date`

export interface Month {
  readonly month: string
  readonly ends_at: Date
}

/** Selects the fields of `Month` for the first day of a month. */
export const toMonth = (month: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`to_char(${month}, 'YYYY-MM') AS month, (${month} + interval '1 month') AT TIME ZONE 'UTC' AS ends_at`

const MONTH = toMonth(Prisma.sql`m.month`)

/** The spend of a project and of the instance, in {@link SPEND_COLUMNS}. */
export interface SpendRow extends Month {
  /** Budget of the project in US dollars, or null for no budget. */
  readonly budget: number | null
  readonly project: number
  readonly instance: number
}

/** Columns of a `SpendRow`, for {@link SPEND_TABLES}. */
export const SPEND_COLUMNS = Prisma.sql`${MONTH}, projects.monthly_budget_usd::float8 AS budget,
  coalesce(project_spend.cost_usd, 0)::float8 AS project, coalesce(instance_spend.cost_usd, 0)::float8 AS instance`

/** One row for each project, with its spend in the current month. */
export const SPEND_TABLES = Prisma.sql`(SELECT ${CURRENT_MONTH} AS month) m
  CROSS JOIN projects
  LEFT JOIN project_spend ON project_spend.project_id = projects.id AND project_spend.month = m.month
  LEFT JOIN instance_spend ON instance_spend.month = m.month`

/** Returns a project's spend and budget, and those of the instance; null if there is no project. */
export async function readMonthlySpend(
  db: Db,
  { projectId, instanceBudgetUsd }: { projectId: string; instanceBudgetUsd: number | null },
): Promise<ProjectSpend | null> {
  const [row] = await db.$queryRaw<SpendRow[]>`
    SELECT ${SPEND_COLUMNS} FROM ${SPEND_TABLES} WHERE projects.id = ${projectId}`
  return row ? toProjectSpend(row, instanceBudgetUsd) : null
}

export interface ProjectSpend {
  readonly project: MonthlySpend
  readonly instance: MonthlySpend
}

export const toProjectSpend = (row: SpendRow, instanceBudgetUsd: number | null): ProjectSpend => ({
  project: toSpend(row, row.project, row.budget),
  instance: toSpend(row, row.instance, instanceBudgetUsd),
})

/** Returns the spend of all projects, including deleted ones. */
export async function readInstanceSpend(db: Db, instanceBudgetUsd: number | null): Promise<MonthlySpend> {
  const [row] = await db.$queryRaw<[Month & { spent: number }]>`
    SELECT ${MONTH}, coalesce(instance_spend.cost_usd, 0)::float8 AS spent
    FROM (SELECT ${CURRENT_MONTH} AS month) m LEFT JOIN instance_spend ON instance_spend.month = m.month`
  return toSpend(row, row.spent, instanceBudgetUsd)
}

export function toSpend({ month, ends_at }: Month, spentUsd: number, budgetUsd: number | null): MonthlySpend {
  return { month, spentUsd, budgetUsd, endsAt: ends_at.toISOString() }
}
