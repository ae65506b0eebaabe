export { describeSpentBudget } from './describe-spent-budget.ts'
export { readInstanceSpend, readMonthlySpend } from './read-monthly-spend.ts'
export type { InstanceWarning } from './record-spend.ts'
