import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRow } from './test-support/expect-row.ts'
import { toScenario } from './test-support/fault-row.ts'
import { type FaultHarness, openFaultHarness } from './test-support/open-fault-harness.ts'

const later = { kind: 'status', headers: { 'retry-after': '75' } } as const
const expected = { waits: [75] }

describe('long waits (redis)', () => {
  let harness: FaultHarness
  beforeAll(async () => {
    harness = await openFaultHarness('redis', { concurrency: 1 })
  })
  afterAll(() => harness.close())

  const fault = (op: string, status: number) => [
    { do: 'fault' as const, source: false, meanwhile: [], op, status, ...later },
  ]
  const rows = [
    toScenario({ id: 'slot-model', model: { ...later, status: 429 }, expect: expected }),
    toScenario({ id: 'slot-git', arrange: fault('git.push', 429), expect: expected }),
    toScenario({ id: 'slot-pull', arrange: fault('pulls.create', 403), expect: expected }),
  ]

  test.each(rows)('completes another job in the only slot during the wait: $id', async (row) => {
    let isOtherDone = false
    const result = await harness.run(row, async () => {
      await expectRow(harness.service, await harness.run(toScenario({ id: `${row.id}-other` })))
      isOtherDone = true
    })
    expect(isOtherDone).toBe(true)
    await expectRow(harness.service, result)
  })
})
