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
      return { subject, state: 'problem', text: 'Redis may throw entries away. Set maxmemory-policy to noeviction.' }
    }
    if (/^aof_enabled:0/m.test(info)) {
      return {
        subject,
        state: 'warning',
        text: 'Redis forgets its entries when it restarts; the sweeper brings them back, later. Set appendonly to yes.',
      }
    }
    return null
  } catch {
    return {
      subject,
      state: 'problem',
      text: 'Redis cannot be reached. Check REDIS_URL and that the server runs. Jobs are accepted meanwhile and run when it is back.',
    }
  } finally {
    redis.disconnect()
  }
}
