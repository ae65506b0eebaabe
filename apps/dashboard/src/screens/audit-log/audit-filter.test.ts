import { expect, test } from 'vitest'
import { readAuditFilter, toAuditQuery } from './audit-filter.ts'

test('ignores invalid values in the URL', () => {
  expect(readAuditFilter({ action: 'none.such', from: '2026-13-01', to: '0020-01-31', actor: ' ' })).toEqual({})
  const filter = { action: 'key.created', from: '2026-01-01', to: '2026-01-31', actor: 'usr_1' }
  expect(readAuditFilter(filter)).toEqual(filter)
})

test('the last day is included', () => {
  const { since, until } = toAuditQuery({ from: '2026-01-31', to: '2026-01-31' })
  expect(Date.parse(until ?? '') - Date.parse(since ?? '')).toBe(86_400_000)
})
