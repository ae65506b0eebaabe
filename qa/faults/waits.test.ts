import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRow } from './test-support/expect-row.ts'
import { type FaultRow, RECOVERED } from './test-support/fault-row.ts'
import { type FaultHarness, openFaultHarness } from './test-support/open-fault-harness.ts'

const waits = [{ reason: 'waiting', seconds: 75 }] as const
const headers = { 'retry-after': '75' }

describe('a long wait on redis', () => {
  let harness: FaultHarness
  beforeAll(async () => {
    harness = await openFaultHarness('redis', { concurrency: 1 })
  })
  afterAll(() => harness.close())

  const rows: Omit<FaultRow, 'title' | 'duringWait'>[] = [
    { id: 'slot-model', model: { kind: 'status', status: 429, headers }, expect: { ...RECOVERED, waits } },
    {
      id: 'slot-git',
      arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 429, headers }),
      expect: { ...RECOVERED, waits },
    },
    {
      id: 'slot-pull',
      arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', status: 403, headers }),
      expect: { ...RECOVERED, waits },
    },
  ]

  test.each(rows)('gives the only slot to another job, which is done first: $id', async (row) => {
    const other: FaultRow = { id: `${row.id}-other`, title: 'nothing goes wrong', expect: RECOVERED }
    let isOtherDone = false
    const duringWait = async () => {
      await expectRow(harness.service, await harness.run(other))
      isOtherDone = true
    }
    const result = await harness.run({ ...row, title: 'waits', duringWait })
    expect(isOtherDone).toBe(true)
    await expectRow(harness.service, result)
  })
})
