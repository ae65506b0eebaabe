import { toRedisOptions } from '@corrigenda/core/queue'
import type { RedisAddress } from '@corrigenda/core/runtime'
import { Redis } from 'ioredis'
import type { Finding } from './finding.ts'

const subject = 'Queue'
const LATER = 'Jobs are still accepted, and will run once Redis can be used.'

/**
 * Returns the problem that makes this Redis unsafe as a queue, or null. Redis must respond and
 * evict nothing, and should keep its data across a restart.
 */
export async function findRedisProblem(address: RedisAddress): Promise<Finding | null> {
  const { url, ...options } = toRedisOptions(address)
  const redis = new Redis(url, {
    ...options,
    maxRetriesPerRequest: 1,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    connectTimeout: 3000,
    lazyConnect: true,
  })
  let reason: Error | null = null
  redis.on('error', (error) => {
    reason = error
  })
  try {
    await redis.connect()
    const info = await redis.info()
    if (/^cluster_enabled:1/m.test(info)) {
      return { subject, state: 'problem', text: 'Redis Cluster is not supported: see docs/scaling.md#redis.' }
    }
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
  } catch (error) {
    return { subject, state: 'problem', text: `${explain(reason ?? error, address)} ${LATER}` }
  } finally {
    redis.disconnect()
  }
}

function explain(error: unknown, { sentinels }: RedisAddress): string {
  const { message = '', code = '' } = error as NodeJS.ErrnoException
  if (/^(WRONGPASS|NOAUTH)/.test(message)) return 'Redis rejects the user name or password. Check REDIS_URL.'
  if (/^NOPERM/.test(message)) return `The Redis user lacks a permission (${message}): see docs/scaling.md#redis.`
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code) || /certificate/.test(message))
    return `The certificate of Redis is not trusted (${message}). Set NODE_EXTRA_CA_CERTS to the file of its authority.`
  if (sentinels) return `No master is reachable (${message}). Check REDIS_SENTINELS and REDIS_URL.`
  return 'Redis is unreachable. Check REDIS_URL and make sure the server is running.'
}
