import { checkRepositoryPath, type RepositoryAddress } from '@corrigenda/contracts'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { Octokit } from '@octokit/rest'
import { z } from 'zod'
import { GitHostError } from '../git-host-error.ts'
import { pause, untilAborted } from '../pause.ts'
import { buildSameOriginFetch } from '../same-origin-fetch.ts'
import { isRequestFailure, type RequestContext, toGitHostError } from './to-git-host-error.ts'

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

/** The expected response. Only the parts that the schema declares are returned. */
export interface Answer<T> {
  /** Completes "a response that is not …". */
  readonly named: string
  readonly schema: z.ZodType<T>
}

/** The answer with status 204, which has no body. */
export const NO_CONTENT: Answer<undefined> = { named: 'empty', schema: z.undefined() }

export interface ApiCall<T> extends RequestContext {
  readonly signal: AbortSignal
  readonly answer: Answer<T>
  /** Sends the request. `request` must be passed to Octokit, because it contains the signal. */
  readonly run: (
    octokit: Octokit,
    request: { signal: AbortSignal; retries?: number },
  ) => Promise<{ readonly status: number; readonly data: unknown }>
  /** Maximum number of retries after a 5xx or a broken connection; 0 for writes. */
  readonly retries?: number
}

/**
 * Sends one request and returns its parsed response. This is the only access to Octokit, so that no
 * response is used unchecked. Waits for rate limits as the host requests, up to 30 s in total, then
 * throws `rate_limited` with `retryAfterMs`. Rejects immediately when the signal aborts, even while
 * the client library is waiting.
 * @throws GitHostError for a failed request, `server_error` for a response of a different shape,
 * such as a proxy's page; other errors (bugs in `run`) unchanged
 */
export type GitHubApi = <T>(call: ApiCall<T>) => Promise<T>

/**
 * Maximum total time that a call waits for rate limits. It is short because other work could use
 * the slot. The caller schedules longer waits.
 */
const MAX_WAIT_MS = 30_000
const MAX_WAITS = 5
const MIN_WAIT_MS = 250
const NO_CONTENT_STATUS = 204

/** Builds the access to the API at one URL with one credential. Never writes to the console. */
export function buildApi(settings: GitHubSettings, target: ApiTarget): GitHubApi {
  const octokit = buildOctokit(settings, target)
  return async ({ answer, run, retries, ...context }) => {
    const { signal } = context
    const request = retries === undefined ? { signal } : { signal, retries }
    const { status, data } = await waitForLimits(() => run(octokit, request), context)
    const parsed = answer.schema.safeParse(status === NO_CONTENT_STATUS ? undefined : data)
    if (parsed.success) return parsed.data
    throw new GitHostError(
      'server_error',
      `The Git host returned a response that is not ${answer.named}. Check that GITHUB_API_URL is the URL of its REST API.`,
    )
  }
}

async function waitForLimits<T>(run: () => Promise<T>, context: RequestContext & { signal: AbortSignal }): Promise<T> {
  let waited = 0
  for (let waits = 0; ; waits += 1) {
    try {
      return await untilAborted(run, context)
    } catch (error) {
      if (!isRequestFailure(error)) throw error
      const failure = toGitHostError(error, context)
      const wait = Math.max(failure.retryAfterMs ?? 0, MIN_WAIT_MS)
      if (failure.code !== 'rate_limited' || waits >= MAX_WAITS || waited + wait > MAX_WAIT_MS) throw failure
      waited += wait
      await pause(wait, context)
    }
  }
}

type ApiTarget = { apiUrl: string } & ({ token: string } | { authStrategy: unknown; auth: unknown })

const ThrottledOctokit = Octokit.plugin(retry, throttling)

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Every 4xx except 408 is final: a retry of the same request cannot help. waitForLimits waits after
 * a rate limit.
 */
const FINAL_STATUSES = Array.from({ length: 100 }, (_, index) => 400 + index).filter((status) => status !== 408)

/**
 * Builds a client that retries requests after a 5xx or a broken connection, and paces writes where
 * GitHub limits them (one at a time, one second apart, or three seconds for writes that notify
 * people).
 */
function buildOctokit(settings: GitHubSettings, { apiUrl, ...authentication }: ApiTarget): Octokit {
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
    retry: { doNotRetry: FINAL_STATUSES, retryAfterBaseValue: settings.retryBaseMs ?? 1000 },
    throttle: {
      // Enterprise servers have no such limits unless their administrator configures them, and
      // pacing would allow only 20 pull requests a minute.
      enabled: host === 'api.github.com' || host.endsWith('.ghe.com'),
      id: host,
      // The plugin's own waits cannot be cancelled; waitForLimits waits instead.
      onRateLimit: () => false,
      onSecondaryRateLimit: () => false,
    },
  })
}

/**
 * Returns the base URL of the REST API for a repository. A configured URL takes precedence for its
 * host.
 * github.com and GitHub's data-residency hosts have a separate API host. All other hosts are GitHub
 * Enterprise Server, which serves the API under /api/v3.
 */
export function toApiUrl(
  repository: RepositoryAddress,
  { apiUrl, apiUrlHost = null }: Pick<GitHubSettings, 'apiUrl' | 'apiUrlHost'>,
): string {
  if (apiUrl !== null && (apiUrlHost === null || apiUrlHost === repository.host))
    return apiUrl.replace(/(?<!\/)\/+$/, '')
  if (repository.host === 'github.com' || repository.host === 'www.github.com') return 'https://api.github.com'
  if (repository.host.endsWith('.ghe.com')) return `https://api.${repository.host}`
  return `${repository.origin}/api/v3`
}

export interface OwnerAndName {
  readonly owner: string
  readonly repo: string
}

/** @throws Error when the path is not `owner/name` */
export function toOwnerAndName(repository: RepositoryAddress): OwnerAndName {
  checkRepositoryPath(repository)
  const [owner = '', repo = ''] = repository.path.split('/')
  return { owner, repo }
}
