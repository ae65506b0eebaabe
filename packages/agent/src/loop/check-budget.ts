import type { Usage } from '@corrigenda/contracts'

export interface Budgets {
  /** Model calls that returned a reply, including the wrap-up turn. */
  readonly maxTurns: number
  /** Input tokens of all calls, including cached tokens. */
  readonly maxInputTokens: number
  readonly maxOutputTokens: number
  /** In US dollars. See `AgentDeps.modelsWithoutCostBudget` for models without a price. */
  readonly maxCostUsd: number
  /** Wall-clock time since the run started. */
  readonly maxSeconds: number
}

export type BudgetCode = 'budget_turns' | 'budget_tokens' | 'budget_cost' | 'budget_time'

export const DEFAULT_BUDGETS: Budgets = {
  maxTurns: 40,
  maxInputTokens: 2_000_000,
  maxOutputTokens: 60_000,
  maxCostUsd: 2,
  maxSeconds: 1_200,
}

/**
 * Returns the budget that is closest to exhaustion and the share of it that has been used. When the
 * share reaches 1, only the wrap-up turn remains.
 */
export function checkBudget(
  budgets: Budgets,
  usage: Usage,
  elapsedSeconds: number,
): { code: BudgetCode; share: number } {
  const read = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
  const shares: readonly (readonly [BudgetCode, number])[] = [
    ['budget_cost', share(usage.costUsd ?? 0, budgets.maxCostUsd)],
    [
      'budget_tokens',
      Math.max(share(read, budgets.maxInputTokens), share(usage.outputTokens, budgets.maxOutputTokens)),
    ],
    ['budget_time', share(elapsedSeconds, budgets.maxSeconds)],
    // The last allowed turn is the wrap-up turn.
    ['budget_turns', share(usage.turns, budgets.maxTurns - 1)],
  ]
  return shares
    .map(([code, value]) => ({ code, share: value }))
    .reduce((most, next) => (next.share > most.share ? next : most))
}

/** Returns a user-facing message for an exhausted budget. */
export function describeBudget(code: BudgetCode, budgets: Budgets): string {
  switch (code) {
    case 'budget_turns':
      return `The limit of ${budgets.maxTurns} turns was reached before the work was finished.`
    case 'budget_tokens':
      return `The limit of ${budgets.maxInputTokens} input or ${budgets.maxOutputTokens} output tokens was reached before the work was finished.`
    case 'budget_cost':
      return `The limit of ${budgets.maxCostUsd} US dollars was reached before the work was finished.`
    case 'budget_time':
      return `The limit of ${budgets.maxSeconds} seconds was reached before the work was finished.`
  }
}

function share(used: number, max: number): number {
  return max <= 0 ? (used > 0 || max === 0 ? 1 : 0) : used / max
}
