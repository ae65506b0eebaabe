import { expect, onTestFinished, test, vi } from 'vitest'
import { buildJobToken, findJobTokenParts } from './job-token.ts'

const PEPPER = Buffer.alloc(32, 7)

test('a token is valid for one service until it expires, and no character of it can be changed', () => {
  vi.useFakeTimers({ now: 1_764_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const parts = { keyId: 'A1b2C3d4E5f6', jobId: `job_${'0'.repeat(26)}`, expiresAt: 1_764_000_010 }
  const token = buildJobToken(PEPPER, parts)
  expect(findJobTokenParts(PEPPER, token)).toEqual(parts)
  expect(findJobTokenParts(Buffer.alloc(32, 8), token)).toBeNull()
  for (let i = 0; i < token.length; i += 1) {
    const other = token.slice(0, i) + (token[i] === '1' ? '2' : '1') + token.slice(i + 1)
    expect(findJobTokenParts(PEPPER, other), `character ${i}`).toBeNull()
  }
  expect(findJobTokenParts(PEPPER, `${token}0`)).toBeNull()
  vi.setSystemTime(1_764_000_009_999)
  expect(findJobTokenParts(PEPPER, token)).not.toBeNull()
  vi.setSystemTime(1_764_000_010_000)
  expect(findJobTokenParts(PEPPER, token)).toBeNull()
})
