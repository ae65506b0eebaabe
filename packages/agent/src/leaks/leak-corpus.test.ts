import { describe, expect, it } from 'vitest'
import { findLeaks } from './find-leaks.ts'
import { buildInput } from './test-support/attempt.ts'
import { FIRST_ATTEMPTS } from './test-support/first-attempts.ts'
import { FURTHER_ATTEMPTS } from './test-support/further-attempts.ts'
import { HELD_OUT_ATTEMPTS } from './test-support/held-out-attempts.ts'
import { READER_ATTEMPTS } from './test-support/reader-attempts.ts'

describe.each([
  ['first', FIRST_ATTEMPTS],
  ['held-out', HELD_OUT_ATTEMPTS],
  ['further', FURTHER_ATTEMPTS],
  ['rendered', READER_ATTEMPTS],
] as const)('%s attempts', (_, attempts) => {
  it.each(attempts.map((attempt) => [attempt.name, attempt] as const))('refuses %s', async (_name, attempt) => {
    const leaks = await findLeaks(await buildInput(attempt))
    expect(leaks.map(({ kind }) => kind)).toContain(attempt.kind)
  })
})
