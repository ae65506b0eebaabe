import type { MonthlySpend } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import { type ProjectSpend, readMonthlySpend } from './read-monthly-spend.ts'

/** Returns a message about the monthly budget that is used up, or null if none is. */
export async function describeSpentBudget(
  db: Db,
  input: { projectId: string; instanceBudgetUsd: number | null },
): Promise<string | null> {
  const spend = await readMonthlySpend(db, input)
  return spend && describeSpent(spend)
}

/** Returns a message about the budget that is used up, or null if none is. */
export function describeSpent({ project, instance }: ProjectSpend): string | null {
  if (isUsedUp(project)) {
    return `This project's monthly budget of ${project.budgetUsd} US dollars is used up. ${toEnd(project)} An owner can raise the budget in the project settings.`
  }
  // Without the amounts, which concern all projects.
  return isUsedUp(instance) ? `The monthly budget of this service is used up. ${toEnd(instance)}` : null
}

const isUsedUp = ({ spentUsd, budgetUsd }: MonthlySpend): boolean => budgetUsd !== null && spentUsd >= budgetUsd

const toEnd = ({ endsAt }: MonthlySpend): string => `The month ends on ${endsAt.slice(0, 10)} (00:00 UTC).`

/** @throws AppError `monthly_budget_exceeded` */
export async function refuseOverBudget(
  tx: Db,
  input: { projectId: string; instanceBudgetUsd: number | null },
): Promise<void> {
  const message = await describeSpentBudget(tx, input)
  if (message !== null) throw new AppError('monthly_budget_exceeded', message)
}
