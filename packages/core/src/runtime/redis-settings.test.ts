import { expect, it } from 'vitest'
import { z } from 'zod'
import { readEnv } from './read-env.ts'
import { findRedisSettingProblems, redisSettings, toRedisAddress } from './redis-settings.ts'

const read = (env: Record<string, string>) =>
  toRedisAddress(readEnv(z.object(redisSettings), env, findRedisSettingProblems))

it('reads the addresses of sentinels', () => {
  expect(read({})).toBeNull()
  expect(read({ REDIS_URL: 'rediss://u:p@h:6380/2' })).toEqual({ url: 'rediss://u:p@h:6380/2' })
  const env = { REDIS_URL: 'redis://u:p@mymaster', REDIS_SENTINELS: 's1, s2:26380', REDIS_SENTINEL_PASSWORD: 'q' }
  expect(read(env)).toEqual({
    url: 'redis://u:p@mymaster',
    sentinels: { hosts: ['s1', 's2:26380'], username: null, password: 'q' },
  })
})

it.each([
  [{ REDIS_SENTINELS: 's1' }, 'REDIS_URL: is required together with REDIS_SENTINELS'],
  [{ REDIS_SENTINELS: 's1', REDIS_URL: 'redis://redis:6379' }, 'REDIS_URL: must have no port'],
  [{ REDIS_SENTINELS: 's1/', REDIS_URL: 'redis://m' }, 'REDIS_SENTINELS: must be host or host:port'],
  [{ REDIS_URL: 'redis://h', REDIS_SENTINEL_PASSWORD: 'p' }, 'REDIS_SENTINEL_PASSWORD: requires REDIS_SENTINELS'],
  [
    { REDIS_SENTINELS: 's1', REDIS_URL: 'redis://m', REDIS_SENTINEL_USERNAME: 'u' },
    'REDIS_SENTINEL_PASSWORD: is required together with REDIS_SENTINEL_USERNAME',
  ],
])('rejects %j', (env, problem) => {
  expect(() => read(env)).toThrow(problem)
})
