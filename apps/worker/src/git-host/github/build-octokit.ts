import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { Octokit } from '@octokit/rest'
import { buildSameOriginFetch } from './same-origin-fetch.ts'

/** Settings that all clients of the REST API share. Times in milliseconds. */
export interface GitHubSettings {
  /** GITHUB_API_URL, or null to derive the URL from the repository. */
  readonly apiUrl: string | null
  /** The product's version, for the User-Agent that GitHub requires. */
  readonly version: string
  readonly fetch?: typeof fetch
  /** Deadline of one attempt, default 30 s. */
  readonly timeoutMs?: number
  /**
   * Base of the backoff before a read is retried after a 5xx or a broken connection (1, 4, 9 times
   * this); default 1 s.
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
 * Builds a client for one API URL. It retries requests after a 5xx and broken connections, and
 * paces writes where GitHub limits them (one at a time, a second apart, three seconds for those
 * that notify people). It never writes to the console.
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
      // pacing would cap them at 20 pull requests a minute.
      enabled: host === 'api.github.com' || host.endsWith('.ghe.com'),
      id: host,
      // The plugin's own waits cannot be cancelled; callGitHub waits instead.
      onRateLimit: () => false,
      onSecondaryRateLimit: () => false,
    },
  })
}
