import { expect, test } from 'vitest'
import { OPERATIONS } from './host/operations.ts'
import { routes } from './open-server.ts'

test('has a route for every operation', () => {
  expect(Object.keys(routes).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
})
