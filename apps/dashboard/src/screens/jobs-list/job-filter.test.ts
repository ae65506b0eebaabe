import { OPEN_STATES } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { listStates, readJobFilter, toggleState, toJobListFilter } from './job-filter.ts'

test('reads valid filters from a URL and ignores all other values', () => {
  expect(readJobFilter({ status: 'failed,nonsense,queued', q: '  install ', page: 3 })).toEqual({
    status: 'failed,queued',
    q: 'install',
  })
  expect(readJobFilter({ status: 'nonsense', q: '   ' })).toEqual({})
  expect(readJobFilter({ status: ['failed'], q: { a: 1 } })).toEqual({})
})

test('keeps a numeric-looking search term as a string', () => {
  expect(readJobFilter({ q: 404 })).toEqual({ q: '404' })
})

test('toggles a state on and off', () => {
  const failed = toggleState({ q: 'x' }, 'failed')
  expect(failed).toEqual({ q: 'x', status: 'failed' })
  expect(listStates(toggleState(failed, 'queued').status)).toEqual(['failed', 'queued'])
  expect(toggleState(failed, 'failed')).toEqual({ q: 'x', status: 'all' })
})

test('reads the filters of the panel and ignores invalid ones', () => {
  const filter = { author: 'usr_1', model: 'm-1', failure: 'stuck', from: '2026-01-01', to: '2026-01-31' }
  expect(readJobFilter(filter)).toEqual(filter)
  expect(readJobFilter({ author: ' ', model: [], from: '2026-13-01', to: 'x' })).toEqual({})
})

test('the first and the last day are included', () => {
  const { createdAfter, createdBefore, ...rest } = toJobListFilter({
    q: 'x',
    from: '2026-01-31',
    to: '2026-01-31',
  })
  expect(Date.parse(createdBefore ?? '') - Date.parse(createdAfter ?? '')).toBe(86_400_001)
  expect(rest).toEqual({ q: 'x' })
})

test('without a filter, the list shows the open jobs, and with one all that match', () => {
  expect(toJobListFilter({})).toEqual({ status: OPEN_STATES.join() })
  expect(toJobListFilter({ status: 'all' })).toEqual({})
  expect(toJobListFilter({ q: 'x' })).toEqual({ q: 'x' })
  expect(readJobFilter({ status: 'all' })).toEqual({ status: 'all' })
})
