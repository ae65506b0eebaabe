import type { RunSettings } from '@corrigenda/core'
import type { Budgets } from '../config.ts'
import { buildPathPolicy, type PathPolicy } from './path-policy.ts'

/** What a run of a project may change. Limits only ever become narrower; what is protected stays so whatever the project says. */
export function toRunPolicy({ policy }: RunSettings): PathPolicy {
  const { writable, forbidden, maxFiles, maxLines } = policy
  return buildPathPolicy({
    ...(writable === null ? {} : { writable }),
    deny: forbidden,
    ...(maxFiles === null ? {} : { maxFiles }),
    ...(maxLines === null ? {} : { maxChangedLines: maxLines }),
  })
}

/** The tighter of the service's budgets and the project's, one by one. */
export function toRunBudgets(service: Budgets, { budgets }: RunSettings): Budgets {
  const least = (name: keyof Budgets) => Math.min(service[name], budgets[name] ?? Number.POSITIVE_INFINITY)
  return {
    maxTurns: least('maxTurns'),
    maxInputTokens: least('maxInputTokens'),
    maxOutputTokens: least('maxOutputTokens'),
    maxCostUsd: least('maxCostUsd'),
    maxSeconds: least('maxSeconds'),
  }
}
