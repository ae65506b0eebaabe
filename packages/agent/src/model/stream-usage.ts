import { z } from 'zod'
import type { TurnUsage } from './transcript.ts'

const count = z.number().min(0).nullish().catch(null)

/** Usage as the API reports it. Counts that a server does not support are absent or null. */
export const ReportedUsage = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  })
  .nullish()
  .catch(null)

export type ReportedUsage = z.infer<typeof ReportedUsage>

/** Maximum ratio of two counts of the same prompt. */
const SAME_COUNT = 1.05

/** Returns the usage that `message_start` reports. Absent counts are 0. */
export function toTurnUsage(reported: ReportedUsage): TurnUsage {
  return mergeUsage({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }, reported)
}

/**
 * Returns the usage after a `message_delta`, whose counts replace the earlier ones. Some servers
 * count the whole prompt as input in `message_start`, and report in `message_delta` that all of it
 * was read from the cache. These tokens are counted once. Both counts then differ by a few tokens
 * at most, while a separate count of uncached tokens has no relation to the cached ones.
 */
export function mergeUsage(begun: TurnUsage, reported: ReportedUsage): TurnUsage {
  const inputTokens = reported?.input_tokens ?? begun.inputTokens
  const cacheReadTokens = reported?.cache_read_input_tokens ?? begun.cacheReadTokens
  const isCountedTwice =
    begun.cacheReadTokens === 0 &&
    inputTokens === begun.inputTokens &&
    cacheReadTokens >= inputTokens &&
    cacheReadTokens <= inputTokens * SAME_COUNT
  return {
    inputTokens: isCountedTwice ? 0 : inputTokens,
    outputTokens: reported?.output_tokens ?? begun.outputTokens,
    cacheReadTokens,
    cacheWriteTokens: reported?.cache_creation_input_tokens ?? begun.cacheWriteTokens,
  }
}
