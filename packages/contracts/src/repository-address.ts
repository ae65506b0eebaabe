/**
 * A parsed repository URL. Adapters limit the number of path segments; see {@link
 * checkRepositoryPath}.
 */
export interface RepositoryAddress {
  /** `host` or `host:port`. */
  readonly host: string
  readonly origin: string
  /** `owner/name`, or `group/subgroup/name` on hosts with nested groups; without `.git`. */
  readonly path: string
  /** Last path segment. */
  readonly name: string
  /** The canonical URL: `origin/path`. */
  readonly url: string
}

/** The kinds of Git hosts that have an adapter. */
export type GitHostKind = 'github'

export const REPOSITORY_URL_FORM = 'https://github.com/OWNER/NAME'

/** GitLab nests groups up to 20 levels deep. */
const MAX_SEGMENTS = 21

/** Allowed number of path segments, by kind of host. */
const SEGMENTS: Readonly<Record<GitHostKind, { readonly min: number; readonly max: number }>> = {
  github: { min: 2, max: 2 },
}

/**
 * Parses `https://host[:port]/owner/name` or a deeper path. Accepts plain http only for loopback.
 * Does not check whether the host is allowed.
 * @throws Error that describes the problem; the message never contains a credential
 */
export function toRepositoryAddress(text: string): RepositoryAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw new Error(`The repository must be a URL such as ${REPOSITORY_URL_FORM}.`)
  if (url.username || url.password) {
    throw new Error(
      'The repository URL must not contain a user name or token. Configure GITHUB_TOKEN or a GitHub App instead.',
    )
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new Error(`The repository URL must start with https:// (such as ${REPOSITORY_URL_FORM}).`)
  }
  if (url.search || url.hash)
    throw new Error(`The repository URL must have the form ${REPOSITORY_URL_FORM}, without ? or #.`)
  const path = url.pathname
    .slice(1)
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
  const segments = path.split('/')
  const name = segments.at(-1) ?? ''
  if (segments.length < 2 || segments.length > MAX_SEGMENTS || !segments.every(isName)) throw toPathError()
  const origin = `${url.protocol}//${url.host}`
  return { host: url.host, origin, path, name, url: `${origin}/${path}` }
}

/**
 * Selects the adapter. Every allowed host is github.com, GitHub Enterprise Cloud or GitHub
 * Enterprise Server.
 */
export function gitHostKind(_address: RepositoryAddress): GitHostKind {
  return 'github'
}

/**
 * Checks the number of path segments. On GitHub, the path must be exactly `owner/name`.
 * @throws Error with the same message as {@link toRepositoryAddress}
 */
export function checkRepositoryPath(address: RepositoryAddress): void {
  const { min, max } = SEGMENTS[gitHostKind(address)]
  const { length } = address.path.split('/')
  if (length < min || length > max) throw toPathError()
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

const isName = (part: string): boolean => /^[A-Za-z0-9._-]{1,100}$/.test(part) && part !== '.' && part !== '..'

const toPathError = (): Error =>
  new Error(`The repository URL must name an owner and a repository, such as ${REPOSITORY_URL_FORM}.`)
