import { expect, test } from 'vitest'
import { OPERATIONS } from './host/operations.ts'
import { routes } from './open-server.ts'

test('every operation has a route', () => {
  expect(Object.keys(routes).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
})
