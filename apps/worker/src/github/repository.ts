/** A repository on one Git host. `host` carries the port when there is one; `url` is `origin/owner/name`, without `.git`. */
export interface Repository {
  readonly host: string
  readonly origin: string
  readonly owner: string
  readonly name: string
  readonly url: string
}

const NAME = /^[A-Za-z0-9._-]+$/
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Takes `https://host[:port]/owner/name` apart; plain http only for loopback. Whether the host is allowed is decided where a
 * project is created, not here. Throws a RangeError that does not repeat the address, which might carry a password.
 */
export function toRepository(address: string): Repository {
  const url = URL.canParse(address) ? new URL(address) : null
  const [owner, name, ...rest] = url?.pathname.replace(/^\//, '').replace(/\/$/, '').split('/') ?? []
  const bare = name?.replace(/\.git$/, '')
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
  const plain = url && !url.username && !url.password && !url.search && !url.hash && rest.length === 0
  if (!secure || !plain || !isName(owner) || !isName(bare)) {
    throw new RangeError('The repository address must look like https://host/owner/name. Correct it in the project.')
  }
  return { host: url.host, origin: url.origin, owner, name: bare, url: `${url.origin}/${owner}/${bare}` }
}

/**
 * Base of the REST API for a repository. A configured address wins. github.com and GitHub's data-residency hosts have an API
 * host of their own; everything else is taken for GitHub Enterprise Server, which serves it under /api/v3.
 */
export function toApiUrl(repository: Repository, configuredApiUrl: string | null): string {
  if (configuredApiUrl !== null) return configuredApiUrl.replace(/\/+$/, '')
  if (repository.host === 'github.com' || repository.host === 'www.github.com') return 'https://api.github.com'
  if (repository.host.endsWith('.ghe.com')) return `https://api.${repository.host}`
  return `${repository.origin}/api/v3`
}

function isName(part: string | undefined): part is string {
  return part !== undefined && NAME.test(part) && part !== '.' && part !== '..'
}
