const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** `[project=]host[:port][/path]`, as in ALLOWED_HOOK_HOSTS. The port `*` is any port. */
export const HOOK_HOST = /^(?:(prj_[a-z0-9]+)=)?(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5}|:\*)?(\/\S*)?$/i

/** Which hosts a project's hooks may use. */
export interface HookRules {
  /** Entries of ALLOWED_HOOK_HOSTS, see `HOOK_HOST`. */
  readonly allowedHosts: readonly string[]
  readonly projectId: string
}

/**
 * Returns whether the operator allowed a URL's host for this project, for every project, or not at
 * all. An entry without a port allows only the scheme's default port. An entry with a path allows
 * only that path and the paths below it.
 */
export function findHookGrant(url: URL, { allowedHosts, projectId }: HookRules): 'project' | 'instance' | null {
  const grants = allowedHosts.flatMap((entry) => {
    const [, project, host = '', port, path = '/'] = HOOK_HOST.exec(entry) ?? []
    if (project !== undefined && project !== projectId) return []
    const isHost = url.hostname === host.toLowerCase() && isPort(url, port) && isBelow(url.pathname, path)
    return isHost ? [project === undefined ? ('instance' as const) : ('project' as const)] : []
  })
  return grants.includes('project') ? 'project' : (grants[0] ?? null)
}

function isPort({ port, protocol }: URL, allowed: string | undefined): boolean {
  if (allowed === ':*') return true
  const standard = DEFAULT_PORTS[protocol]
  return allowed === undefined ? port === '' : (port || standard) === allowed.slice(1)
}

/**
 * Compares whole path segments. The URL parser has already resolved dot segments, but receivers may
 * also decode encoded slashes, so these are not accepted below a path.
 */
function isBelow(pathname: string, path: string): boolean {
  if (path === '/') return true
  const folder = path.endsWith('/') ? path : `${path}/`
  return !/%2f|%5c|\\/i.test(pathname) && (pathname === path || pathname.startsWith(folder))
}
