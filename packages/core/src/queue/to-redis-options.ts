import type { RedisAddress } from '../runtime/redis-settings.ts'

const SENTINEL_PORT = 26_379

/**
 * Returns the options of every connection to Redis. Credentials, database and TLS come from the URL.
 * With sentinels, each connection asks them for the address of the current master.
 */
export function toRedisOptions({ url, sentinels }: RedisAddress) {
  if (!sentinels) return { url }
  const isEncrypted = url.startsWith('rediss:')
  return {
    url,
    name: new URL(url).hostname,
    sentinels: sentinels.hosts.map((text) => {
      const { hostname, port } = new URL(`redis://${text}`)
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || SENTINEL_PORT }
    }),
    ...(sentinels.username !== null && { sentinelUsername: sentinels.username }),
    ...(sentinels.password !== null && { sentinelPassword: sentinels.password }),
    ...(isEncrypted && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  }
}
