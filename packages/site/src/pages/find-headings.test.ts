import { expect, it } from 'vitest'
import { findHeadings } from './find-headings.ts'

it('excludes attributes and the blanks before them', () => {
  const found = findHeadings('# One two \t {#id} #\n', 'plain')
  expect(found?.headings).toEqual([expect.objectContaining({ start: 2, end: 9, text: 'One two', id: 'id' })])
})

// The time limit of a test is the check: a quadratic search takes minutes.
it.each(['\t', '{a}', '{a} ', '{'])('reads a heading of many %j', (part) => {
  const { headings } = findHeadings(`# a ${part.repeat(200_000)}b\n`, 'plain') ?? { headings: [] }
  expect(headings).toHaveLength(1)
})
