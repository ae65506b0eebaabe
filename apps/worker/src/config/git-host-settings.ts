import { type Env, hosts } from '@corrigenda/core/runtime'

export interface HostSettings {
  readonly GITHUB_API_URL?: string | undefined
  readonly GITHUB_TOKEN_HOST?: string | undefined
  readonly ALLOWED_REPOSITORY_HOSTS: readonly string[]
}

/**
 * Returns the repository host that GITHUB_API_URL belongs to; null if it is unset or if only one
 * host is allowed.
 */
export function findApiUrlHost({ GITHUB_API_URL: url, ALLOWED_REPOSITORY_HOSTS: allowed }: HostSettings) {
  if (url === undefined || allowed.length < 2) return null
  const { host } = new URL(url)
  return allowed.find((one) => host === one || host === `api.${one}`) ?? host
}

/** Returns the only host that receives the environment's credential; null for the only one allowed. */
export function findSourceHost(settings: HostSettings): string | null {
  if (settings.GITHUB_TOKEN_HOST !== undefined) return settings.GITHUB_TOKEN_HOST
  return settings.ALLOWED_REPOSITORY_HOSTS.length < 2 ? null : (findApiUrlHost(settings) ?? 'github.com')
}

/** Finds an API URL that could belong to any of several hosts. */
export function findHostProblems(values: Env): string[] {
  const { data: allowed = [] } = hosts.safeParse(values.ALLOWED_REPOSITORY_HOSTS ?? '')
  const { GITHUB_API_URL: url } = values
  if (url === undefined || !URL.canParse(url)) return []
  const host = findApiUrlHost({ GITHUB_API_URL: url, ALLOWED_REPOSITORY_HOSTS: allowed })
  if (host === null || allowed.includes(host)) return []
  return ['GITHUB_API_URL: must be on one of the hosts in ALLOWED_REPOSITORY_HOSTS, because several are allowed']
}
