import type { TurnUsage } from './transcript.ts'

/** Prices in US dollars per million tokens. */
export interface TokenPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

export interface ModelPrice extends TokenPrice {
  /** Prices for calls whose prompt, including cached tokens, is longer than `promptTokens`. */
  readonly above?: TokenPrice & { readonly promptTokens: number }
}

/** Prices by model ID. For models that are not listed, only tokens are reported, not cost. */
export type PriceTable = Readonly<Record<string, ModelPrice>>

/**
 * Published prices as of 21 November 2026. Five-minute cache writes cost 1.25 times the input
 * price. Configuration can override them.
 */
export const DEFAULT_PRICES: PriceTable = {
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  'claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 },
  'claude-fable-5-1': { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    above: { promptTokens: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
  },
  rehearsal: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
}

/**
 * Returns the cost of one call in US dollars, or null if the model has no price.
 * @param promptTokens number of prompt tokens in each call, if `usage` is the sum of several calls
 */
export function toCost(
  prices: PriceTable,
  model: string,
  usage: TurnUsage,
  promptTokens: number = toPromptTokens(usage),
): number | null {
  const listed = Object.hasOwn(prices, model) ? prices[model] : undefined
  if (listed === undefined) return null
  const price = listed.above !== undefined && promptTokens > listed.above.promptTokens ? listed.above : listed
  const total =
    usage.inputTokens * price.input +
    usage.outputTokens * price.output +
    usage.cacheReadTokens * price.cacheRead +
    usage.cacheWriteTokens * price.cacheWrite
  return total / 1_000_000
}

/**
 * Returns the cost of a usage in US dollars at the highest price in the table. Used as an upper
 * bound for a model without a price.
 */
function toHighestCost(prices: PriceTable, usage: TurnUsage): number {
  const all = Object.values(prices).flatMap((price) => [price, ...(price.above ? [price.above] : [])])
  const highest = (kind: keyof TokenPrice) => Math.max(0, ...all.map((price) => price[kind]))
  const kinds: readonly (keyof TokenPrice)[] = ['input', 'output', 'cacheRead', 'cacheWrite']
  const price = Object.fromEntries(kinds.map((kind) => [kind, highest(kind)])) as Record<keyof TokenPrice, number>
  return toCost({ highest: price }, 'highest', usage) ?? 0
}

/**
 * Returns the cost that counts against budgets, or null for an exempt model without a price. For
 * any other model without a price, the result is an upper bound.
 * @param exempt models that may run without a cost budget
 */
export function toBudgetCost(
  prices: PriceTable,
  usage: TurnUsage & { readonly costUsd: number | null },
  { model, exempt }: { model: string; exempt: readonly string[] },
): number | null {
  return usage.costUsd ?? (exempt.includes(model) ? null : toHighestCost(prices, usage))
}

/** Returns the number of prompt tokens in a call, cached or not. */
export function toPromptTokens(usage: TurnUsage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
}
