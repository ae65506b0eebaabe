import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { Octokit } from '@octokit/rest'
import { buildSameOriginFetch } from './same-origin-fetch.ts'

/** Settings shared by all REST API clients. Times are in milliseconds. */
export interface GitHubSettings {
  /** GITHUB_API_URL, or null to derive the URL from the repository. */
  readonly apiUrl: string | null
  /** The repository host that `apiUrl` belongs to. Null or omitted: every host. */
  readonly apiUrlHost?: string | null
  /** The product's version, for the User-Agent that GitHub requires. */
  readonly version: string
  readonly fetch?: typeof fetch
  /** Timeout per attempt; default 30 s. */
  readonly timeoutMs?: number
  /**
   * Base delay for retries of reads after a 5xx or a broken connection; default 1 s. The delays are
   * 1, 4 and 9 times this value.
   */
  readonly retryBaseMs?: number
}

const ThrottledOctokit = Octokit.plugin(retry, throttling)

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Statuses that the client does not retry. callGitHub waits after a 429; a retry cannot help with
 * the others.
 */
const NEVER_RETRIED = [400, 401, 403, 404, 409, 410, 422, 429, 451]

/**
 * Builds a client for one API URL. It retries requests after a 5xx or a broken connection, and
 * paces writes where GitHub limits them (one at a time, one second apart, or three seconds for
 * writes that notify people). It never writes to the console.
 */
export function buildOctokit(
  settings: GitHubSettings,
  target: { apiUrl: string } & ({ token: string } | { authStrategy: unknown; auth: unknown }),
): Octokit {
  const { apiUrl, ...authentication } = target
  const { host } = new URL(apiUrl)
  return new ThrottledOctokit({
    ...('token' in authentication ? { auth: authentication.token } : authentication),
    baseUrl: apiUrl,
    userAgent: `corrigenda/${settings.version}`,
    log: silent,
    request: {
      fetch: buildSameOriginFetch({ fetch: settings.fetch ?? fetch, timeoutMs: settings.timeoutMs ?? 30_000 }),
      log: silent,
    },
    retry: { doNotRetry: NEVER_RETRIED, retryAfterBaseValue: settings.retryBaseMs ?? 1000 },
    throttle: {
      // Enterprise servers have no such limits unless their administrator configures them, and
      // pacing would allow only 20 pull requests a minute.
      enabled: host === 'api.github.com' || host.endsWith('.ghe.com'),
      id: host,
      // The plugin's own waits cannot be cancelled; callGitHub waits instead.
      onRateLimit: () => false,
      onSecondaryRateLimit: () => false,
    },
  })
}
