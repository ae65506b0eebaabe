import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { limitEdge } from './limit-edge.ts'

afterEach(() => vi.useRealTimers())

test('refusals are delayed, up to a maximum number at the same time', async () => {
  const app = fastify()
  await app.register(rateLimit, { global: false })
  limitEdge(app, 1)
  app.get('/', () => 'ok')
  const send = async () => (await app.inject('/')).statusCode
  expect(await send()).toBe(200)
  const pending = Array.from({ length: 1_000 }, send)
  const ends: number[] = []
  for (const response of pending) void response.then((status) => ends.push(status))
  await new Promise(setImmediate)
  const further = await send()
  expect({ further, ends }).toEqual({ further: 500, ends: [] })
  expect(new Set(await Promise.all(pending))).toEqual(new Set([500]))
  const next = send()
  void next.then((status) => ends.push(status))
  await new Promise(setImmediate)
  expect(ends).toHaveLength(1_000)
  expect(await next).toBe(500)
})
