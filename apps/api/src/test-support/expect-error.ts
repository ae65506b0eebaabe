import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

/**
 * Checks that an error response is JSON with exactly one field, and has a request id and a stable
 * code.
 */
export function expectError(response: LightMyRequestResponse, status: number, code: string): void {
  expect([response.statusCode, response.headers['x-error-code']]).toEqual([status, code])
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(Object.keys(response.json())).toEqual(['error'])
  expect(response.headers['x-request-id']).toBeTruthy()
  expect(response.body).not.toMatch(/\bat .+:\d+|node_modules|\/(home|root|tmp|usr)\//)
}
