import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRow } from './test-support/expect-row.ts'
import { COMPLETES, type FaultScenario } from './test-support/fault-row.ts'
import { type FaultHarness, openFaultHarness } from './test-support/open-fault-harness.ts'

const waits = [{ reason: 'waiting', seconds: 75 }] as const
const headers = { 'retry-after': '75' }

describe('long waits (redis)', () => {
  let harness: FaultHarness
  beforeAll(async () => {
    harness = await openFaultHarness('redis', { concurrency: 1 })
  })
  afterAll(() => harness.close())

  const rows: FaultScenario[] = [
    { id: 'slot-model', model: { kind: 'status', status: 429, headers }, expect: { ...COMPLETES, waits } },
    {
      id: 'slot-git',
      arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 429, headers }),
      expect: { ...COMPLETES, waits },
    },
    {
      id: 'slot-pull',
      arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', status: 403, headers }),
      expect: { ...COMPLETES, waits },
    },
  ]

  test.each(rows)('completes another job in the only slot during the wait: $id', async (row) => {
    const other: FaultScenario = { id: `${row.id}-other`, expect: COMPLETES }
    let isOtherDone = false
    const duringWait = async () => {
      await expectRow(harness.service, await harness.run(other))
      isOtherDone = true
    }
    const result = await harness.run({ ...row, duringWait })
    expect(isOtherDone).toBe(true)
    await expectRow(harness.service, result)
  })
})
