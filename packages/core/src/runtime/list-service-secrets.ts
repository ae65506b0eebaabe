import type { RedisAddress } from './redis-settings.ts'

/** Lists the secrets that the API and the workers have in common, for redaction. */
export function listServiceSecrets(config: {
  readonly secret: string
  readonly previousSecret: string | null
  readonly databaseUrl: string
  readonly databaseDirectUrl: string
  readonly redis: RedisAddress | null
}): string[] {
  const { secret, previousSecret, redis } = config
  const urls = [...new Set([config.databaseUrl, config.databaseDirectUrl, redis?.url])].filter((url) => url != null)
  return [secret, previousSecret, ...urls, redis?.sentinels?.password, ...urls.flatMap(toPassword)].filter(
    (one) => one != null,
  )
}

/**
 * Returns a URL's password if the password has at least 12 characters, including a digit and a
 * letter. Redacting a word such as `postgres` would damage ordinary text.
 */
function toPassword(url: string): string[] {
  if (!URL.canParse(url)) return []
  const password = decode(new URL(url).password)
  return password.length >= 12 && /\d/.test(password) && /\p{L}/u.test(password) ? [password] : []
}

/** A % that encodes nothing stands for itself, as in the driver of Postgres. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
