import { type Env, hosts, readEnv } from '@corrigenda/core/runtime'
import { z } from 'zod'

/** A token of the Git host, and where it may be sent. */
export interface Credential {
  readonly token: string
  /** `host` or `host:port`. */
  readonly hosts: readonly string[]
}

const Settings = z.object({
  GITHUB_TOKEN: z.string().optional(),
  ALLOWED_REPOSITORY_HOSTS: hosts.default(['github.com']),
})

/** For repositories that not everybody may read; null when the environment has none. @throws ConfigError */
export function loadCredential(env: Env): Credential | null {
  const { GITHUB_TOKEN: token, ALLOWED_REPOSITORY_HOSTS: allowed } = readEnv(Settings, env)
  return token === undefined ? null : { token, hosts: allowed }
}

/** The token for an address, if it may be sent there: a file of tasks names addresses, and is not always one's own. */
export function findToken(credential: Credential | null, url: string): string | null {
  return credential?.hosts.includes(new URL(url).host.toLowerCase()) ? credential.token : null
}
