import { expect, test } from 'vitest'
import { listStates, readJobFilter, toggleState } from './job-filter.ts'

test('reads valid filters from a URL and ignores all other values', () => {
  expect(readJobFilter({ status: 'failed,nonsense,queued', q: '  install ', page: 3 })).toEqual({
    status: 'queued,failed',
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
  expect(listStates(toggleState(failed, 'queued').status)).toEqual(['queued', 'failed'])
  expect(toggleState(failed, 'failed')).toEqual({ q: 'x' })
})
