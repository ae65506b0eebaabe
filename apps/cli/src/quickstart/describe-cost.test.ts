import { expect, test } from 'vitest'
import { describeCost } from './screen.ts'

const usage = { inputTokens: 1000, cacheReadTokens: 20_000, cacheWriteTokens: 300, outputTokens: 1234, turns: 7 }

test('describes the cost of a job, its turns and its tokens', () => {
  expect(describeCost({ model: 'claude-x', usage: { ...usage, costUsd: 0.456 } })).toBe(
    'Cost with claude-x: 0.46 US dollars (7 turns, 21,300 tokens read, 1,234 written)',
  )
  expect(describeCost({ model: 'claude-x', usage: { ...usage, turns: 1, costUsd: 0.0123 } })).toMatch(
    /: 0\.0123 US dollars \(1 turn,/,
  )
})

test('a cost that is not known is not shown as zero', () => {
  expect(describeCost({ model: 'm', usage: { ...usage, costUsd: null } })).toMatch(/unknown.* MODELS/)
})
