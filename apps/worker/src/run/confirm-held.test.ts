import { LostLeaseError } from '@corrigenda/core/base'
import { expect, test, vi } from 'vitest'
import { confirmHeld } from './confirm-held.ts'

const lease = { assertHeld: () => {} }

test('asks the database again if the process was suspended during the check', async () => {
  let now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now)
  try {
    let asked = 0
    const assertWritable = async () => {
      asked += 1
      // The lease is still valid after four seconds, but the run may have been taken over.
      if (asked === 1) now += 4_000
      else throw new LostLeaseError('run_1')
    }
    await expect(confirmHeld(lease, assertWritable)).rejects.toThrow(LostLeaseError)
    expect(asked).toBe(2)
  } finally {
    clock.mockRestore()
  }
})

test('asks once if the answer is fresh, and checks the lease by the own clocks', async () => {
  let asked = 0
  const assertWritable = async () => {
    asked += 1
  }
  await confirmHeld(lease, assertWritable)
  expect(asked).toBe(1)
  const expired = {
    assertHeld() {
      throw new LostLeaseError('run_1')
    },
  }
  await expect(confirmHeld(expired, assertWritable)).rejects.toThrow(LostLeaseError)
})
