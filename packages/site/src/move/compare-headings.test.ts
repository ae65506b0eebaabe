import { expect, it } from 'vitest'
import { findHeadings } from '../pages/find-headings.ts'
import { compareHeadings } from './compare-pages.ts'

const read = (text: string) => findHeadings(text, 'plain')?.headings ?? []
const compare = (before: string, planned: string, now: string) => {
  const ids = { oldIds: [], newIds: [], tagIds: new Set<string>() }
  const rename = { page: 'a.md', index: 1, text: 'New', written: 'New', before: read(before), after: read(planned) }
  return compareHeadings({ ...rename, ...ids }, read(now))
}
const old = '# A\n\n## Old\n\n## Z\n'
const planned = old.replace('Old', 'New')

it('only the renamed heading may differ', () => {
  expect(compare(old, planned, planned)).toBeNull()
})

it.each<[name: string, now: string, difference: RegExp]>([
  ['another heading', planned.replace('Z', 'Y'), /"Z" would become "Y"/],
  ['a level', planned.replace('## New', '### New'), /"Old" would become "New"/],
  ['an id', planned.replace('New', 'New {#x}'), /"Old" would become "New"/],
  ['the new text', planned.replace('New', 'Other'), /"Old" would become "Other"/],
  ['the number of headings', `${planned}\n## B\n`, /4 instead of 3 headings/],
])('%s must not change', (_, now, difference) => {
  expect(compare(old, planned, now)).toMatch(difference)
})
