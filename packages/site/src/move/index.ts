export { applyMove } from './apply-move.ts'
export { count, formatMove } from './format-move.ts'
export { type DeletePlan, planDelete } from './plan-delete.ts'
export { planMove } from './plan-move.ts'
