import type { AgentJob } from '@corrigenda/client'

/** Describes what a job with a real model cost, with its model. */
export function describeCost({ model, usage }: Pick<AgentJob, 'model' | 'usage'>): string {
  const { costUsd, turns, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage
  const read = (inputTokens + cacheReadTokens + cacheWriteTokens).toLocaleString('en-US')
  const tokens = `${turns} ${turns === 1 ? 'turn' : 'turns'}, ${read} tokens read, ${outputTokens.toLocaleString('en-US')} written`
  const cost =
    costUsd === null
      ? 'unknown, because the model has no price (set it in MODELS)'
      : `${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)} US dollars`
  return `Cost with ${model}: ${cost} (${tokens})`
}
