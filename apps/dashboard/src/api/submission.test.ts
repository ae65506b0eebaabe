import { expect, test } from 'vitest'
import { toSubmission } from './submission.ts'

test('a request keeps its key until its body changes', () => {
  const first = toSubmission(null, { prompt: 'Fix it' })
  expect(first.key).toMatch(/^\d+-\d+-\d+-\d+$/)
  expect(toSubmission(first, { prompt: 'Fix it' })).toBe(first)
  expect(toSubmission(JSON.parse(JSON.stringify(first)), { prompt: 'Fix it' })).toEqual(first)
  expect(toSubmission(first, { prompt: 'Fix that' }).key).not.toBe(first.key)
  expect(toSubmission(null, { prompt: 'Fix it' }).key).not.toBe(first.key)
})
