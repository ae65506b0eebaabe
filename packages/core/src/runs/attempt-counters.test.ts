import { expect, test } from 'vitest'
import { toInterruptedPublish, toRunCounters } from './attempt-counters.ts'

const RUN = {
  attempt: 1,
  releases: 0,
  failures: 0,
  stalls: 0,
  restarts: 0,
  openingAt: null,
  cancelRequestedAt: null,
}
const now = new Date()

test('counts a claim as an attempt unless the run was released without an error', () => {
  expect(toRunCounters({ ...RUN, attempt: 7, releases: 3, failures: 2 }, 10)).toEqual({
    attemptsUsed: 4,
    attemptLimit: 10,
    releases: 3,
    failures: 2,
    stalls: 0,
    restarts: 0,
  })
})

test('allows five more attempts for a run that has started opening its pull request', () => {
  const opening = { ...RUN, openingAt: now }
  expect(toRunCounters(opening, 10).attemptLimit).toBe(15)
  expect(toInterruptedPublish({ ...opening, attempt: 10 }, 10)).toBeNull()
  expect(toInterruptedPublish({ ...opening, attempt: 11 }, 10)).toBe('attempts_exhausted')
  expect(toInterruptedPublish({ ...opening, attempt: 11, releases: 1 }, 10)).toBeNull()
  expect(toInterruptedPublish({ ...opening, attempt: 11, cancelRequestedAt: now }, 10)).toBe('cancelled')
  expect(toInterruptedPublish({ ...opening, cancelRequestedAt: now }, 10)).toBe('cancelled')
})

test('counts an attempt whose worker stopped responding twice, and ends the run after two of them', () => {
  expect(toRunCounters({ ...RUN, attempt: 2, stalls: 1 }, 10).attemptsUsed).toBe(3)
  const opening = { ...RUN, openingAt: now, attempt: 3 }
  expect(toInterruptedPublish({ ...opening, stalls: 1 }, 10)).toBeNull()
  expect(toInterruptedPublish({ ...opening, stalls: 2 }, 10)).toBe('attempts_exhausted')
})
