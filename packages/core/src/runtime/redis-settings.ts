import { z } from 'zod'
import { type Env, hosts } from './read-env.ts'

/** Location of Redis. */
export interface RedisAddress {
  /**
   * URL with credentials, database number and, as `rediss:`, TLS. With sentinels, its host is the
   * name of the master.
   */
  readonly url: string
  /** Missing: Redis is at the URL. */
  readonly sentinels?: {
    /** `host` or `host:port`. */
    readonly hosts: readonly string[]
    readonly username: string | null
    readonly password: string | null
  }
}

/** Settings of the API and of the workers. */
export const redisSettings = {
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a URL such as redis://localhost:6379' }).optional(),
  REDIS_SENTINELS: hosts.optional(),
  REDIS_SENTINEL_USERNAME: z.string().optional(),
  REDIS_SENTINEL_PASSWORD: z.string().optional(),
}

const Settings = z.object(redisSettings)

/** Returns the location of Redis, or null if the queue runs on Postgres. */
export function toRedisAddress(settings: z.infer<typeof Settings>): RedisAddress | null {
  const { REDIS_URL: url, REDIS_SENTINELS: list } = settings
  if (url === undefined) return null
  if (list === undefined) return { url }
  const [username, password] = [settings.REDIS_SENTINEL_USERNAME, settings.REDIS_SENTINEL_PASSWORD]
  return { url, sentinels: { hosts: list, username: username ?? null, password: password ?? null } }
}

/** Reports settings of sentinels that do not work together. */
export function findRedisSettingProblems(values: Env): string[] {
  const { REDIS_URL: url, REDIS_SENTINELS: sentinels } = values
  if (!sentinels) {
    return ['REDIS_SENTINEL_USERNAME', 'REDIS_SENTINEL_PASSWORD']
      .filter((name) => values[name])
      .map((name) => `${name}: requires REDIS_SENTINELS`)
  }
  const example = 'a URL with the name of the master, such as redis://user:password@mymaster'
  if (!url) return [`REDIS_URL: is required together with REDIS_SENTINELS: ${example}`]
  if (URL.canParse(url) && new URL(url).port !== '')
    return [`REDIS_URL: must have no port, because REDIS_SENTINELS is set. Use ${example}`]
  return values.REDIS_SENTINEL_USERNAME && !values.REDIS_SENTINEL_PASSWORD
    ? ['REDIS_SENTINEL_PASSWORD: is required together with REDIS_SENTINEL_USERNAME']
    : []
}
