import { type Env, hosts, readEnv } from '@corrigenda/core/runtime'
import { z } from 'zod'

/** A Git host token and the hosts that may receive it. */
export interface Credential {
  readonly token: string
  /** `host` or `host:port`. */
  readonly hosts: readonly string[]
}

const Settings = z.object({
  GITHUB_TOKEN: z.string().optional(),
  ALLOWED_REPOSITORY_HOSTS: hosts.default(['github.com']),
})

/**
 * Loads the credential for private repositories. Returns null if no token is set.
 * @throws ConfigError
 */
export function loadCredential(env: Env): Credential | null {
  const { GITHUB_TOKEN: token, ALLOWED_REPOSITORY_HOSTS: allowed } = readEnv(Settings, env)
  return token === undefined ? null : { token, hosts: allowed }
}

/**
 * Returns the token if it may be sent to this URL's host, otherwise null. Task files contain URLs
 * and may be untrusted.
 */
export function findToken(credential: Credential | null, url: string): string | null {
  return credential?.hosts.includes(new URL(url).host.toLowerCase()) ? credential.token : null
}
