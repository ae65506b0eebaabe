import { expect, test } from 'vitest'
import { toRedisOptions } from './to-redis-options.ts'

test('options of a connection', () => {
  const sentinels = { hosts: ['s1', '[::1]:7'], username: 'u', password: 'p' }
  expect(toRedisOptions({ url: 'redis://m' })).toEqual({ url: 'redis://m' })
  expect(toRedisOptions({ url: 'redis://m', sentinels })).toEqual({
    url: 'redis://m',
    name: 'm',
    sentinelUsername: 'u',
    sentinelPassword: 'p',
    sentinels: [
      { host: 's1', port: 26_379 },
      { host: '::1', port: 7 },
    ],
  })
})
