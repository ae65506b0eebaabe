import type { ModelFacts } from './settings.ts'
import { DEFAULT_PRICES, type ModelPrice, type PriceTable, type TokenPrice } from './to-cost.ts'

/**
 * Merges the configured prices into the default price list. Prices for cached tokens default to the
 * input price.
 */
export function toPrices(facts: ModelFacts): PriceTable {
  const configured = Object.entries(facts).flatMap(([model, fact]): [string, ModelPrice][] => {
    const { input, output, above } = fact
    if (input === undefined || output === undefined) return []
    const price = toPrice({ ...fact, input, output })
    return [
      [
        model,
        above === undefined ? price : { ...price, above: { ...toPrice(above), promptTokens: above.promptTokens } },
      ],
    ]
  })
  return { ...DEFAULT_PRICES, ...Object.fromEntries(configured) }
}

interface SaidPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
}

function toPrice({ input, output, cacheRead = input, cacheWrite = input }: SaidPrice): TokenPrice {
  return { input, output, cacheRead, cacheWrite }
}
