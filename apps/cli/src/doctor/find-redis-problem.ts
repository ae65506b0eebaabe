import { Redis } from 'ioredis'
import type { Finding } from './finding.ts'

/**
 * Returns the problem that makes this Redis unsafe as a queue, or null. Redis must respond and
 * evict nothing, and should keep its data across a restart.
 */
export async function findRedisProblem(url: string): Promise<Finding | null> {
  const subject = 'Queue'
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    retryStrategy: () => null,
    connectTimeout: 3000,
    lazyConnect: true,
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    const info = await redis.info()
    if (/^maxmemory_policy:(?!noeviction)/m.test(info)) {
      return { subject, state: 'problem', text: 'Redis may evict queue entries. Set maxmemory-policy to noeviction.' }
    }
    if (/^aof_enabled:0/m.test(info)) {
      return {
        subject,
        state: 'warning',
        text: 'Redis will lose its entries on a restart, and the sweeper will restore them after a delay. Set appendonly to yes.',
      }
    }
    return null
  } catch {
    return {
      subject,
      state: 'problem',
      text: 'Redis is unreachable. Check REDIS_URL and make sure the server is running. Jobs are still accepted, and will run once Redis is reachable.',
    }
  } finally {
    redis.disconnect()
  }
}
