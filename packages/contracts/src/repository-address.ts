import { type AllowedHosts, findAllowedHost, GIT_HOSTS, type GitHostKind } from './git-hosts.ts'

/**
 * A parsed repository URL. Adapters limit the number of path segments; see {@link
 * checkRepositoryPath}.
 */
export interface RepositoryAddress {
  /** `host` or `host:port`. */
  readonly host: string
  readonly origin: string
  readonly kind: GitHostKind
  /** Base URL of the host: the origin, and the path of an installation below its root. */
  readonly base: string
  /** `owner/name`, or `group/subgroup/name` on hosts with nested groups; without `.git`. */
  readonly path: string
  /** Last path segment. */
  readonly name: string
  /** The canonical URL: `base/path`. */
  readonly url: string
}

export const REPOSITORY_URL_FORM = 'https://github.com/OWNER/NAME'

/**
 * Parses `https://host[:port]/owner/name` or a deeper path. Accepts plain http only for loopback.
 * Does not check whether the host is allowed.
 * @param hosts the allowed hosts. A host that is not one of them is treated as GitHub.
 * @throws Error that describes the problem; the message never contains a credential
 */
export function toRepositoryAddress(text: string, hosts: AllowedHosts = []): RepositoryAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw new Error(`The repository must be a URL such as ${REPOSITORY_URL_FORM}.`)
  if (url.username || url.password) {
    throw new Error(
      'The repository URL must not contain a user name or token. Save a token in the project settings instead.',
    )
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new Error(`The repository URL must start with https:// (such as ${REPOSITORY_URL_FORM}).`)
  }
  if (url.search || url.hash)
    throw new Error(`The repository URL must have the form ${REPOSITORY_URL_FORM}, without ? or #.`)
  const { kind, basePath } = findAllowedHost(hosts, url.host) ?? { kind: 'github', basePath: '' }
  if (!url.pathname.startsWith(`${basePath}/`)) {
    throw new Error(`The repository URL must start with ${url.origin}${basePath}/.`)
  }
  const path = url.pathname
    .slice(basePath.length + 1)
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
  const segments = path.split('/')
  const name = segments.at(-1) ?? ''
  if (segments.length < 2 || segments.length > GIT_HOSTS.gitlab.segments.max || !segments.every(isName))
    throw toPathError()
  const origin = `${url.protocol}//${url.host}`
  const base = `${origin}${basePath}`
  return { host: url.host, origin, kind, base, path, name, url: `${base}/${path}` }
}

/**
 * Checks the number of path segments. On GitHub, the path must be exactly `owner/name`.
 * @throws Error with the same message as {@link toRepositoryAddress}
 */
export function checkRepositoryPath(address: RepositoryAddress): void {
  const { min, max } = GIT_HOSTS[address.kind].segments
  const { length } = address.path.split('/')
  if (length < min || length > max) throw toPathError()
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

const isName = (part: string): boolean => /^[A-Za-z0-9._-]{1,100}$/.test(part) && part !== '.' && part !== '..'

const toPathError = (): Error =>
  new Error(`The repository URL must name an owner and a repository, such as ${REPOSITORY_URL_FORM}.`)
