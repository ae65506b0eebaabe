export type { InstanceWarning } from './count-spend.ts'
export { describeSpent, describeSpentBudget } from './describe-spent-budget.ts'
export { type ProjectSpend, readInstanceSpend, readMonthlySpend } from './read-monthly-spend.ts'
