import type { Octokit } from '@octokit/rest'
import type { GitHubSettings } from './build-octokit.ts'
import { buildOctokit } from './build-octokit.ts'
import { callGitHub } from './call-github.ts'
import type { Access, Credentials } from './credentials.ts'
import type { Repository } from './repository.ts'
import { toApiUrl } from './repository.ts'
import { withToken } from './with-token.ts'

export interface GitHubCallOptions {
  /** Stops this call; the client's own signal stops it as well. */
  readonly signal?: AbortSignal
  /** How often the client may repeat the request after a 5xx or a broken connection: 0 for a write whose outcome must be looked up first. */
  readonly retries?: number
}

/** The REST API for one repository, with one credential. */
export interface GitHub {
  readonly repository: Repository
  /**
   * Runs one request and answers its data. `what` completes "could not …" in the error. `request` must be handed to Octokit, it
   * carries the signal. Throws {@link GitHubError}.
   */
  call<T>(
    what: string,
    run: (octokit: Octokit, request: { signal: AbortSignal; retries?: number }) => Promise<{ data: T }>,
    options?: GitHubCallOptions,
  ): Promise<T>
  /** Stops what is still under way. May be called twice. */
  close(): void
}

/**
 * Opens a client for one repository: `read` or `publish` access, stopped by `signal`. When the host refuses the token of an App, the request is sent
 * once more with a new one. Throws {@link GitHubError}, or CredentialsError when no token can be had.
 */
export async function openGitHub(
  deps: GitHubSettings & { credentials: Credentials },
  input: { repository: Repository; access: Access; signal: AbortSignal },
): Promise<GitHub> {
  const { repository } = input
  const clients = new Map<string, Octokit>()
  const clientFor = (token: string): Octokit => {
    const client = clients.get(token) ?? buildOctokit(deps, { apiUrl: toApiUrl(repository, deps.apiUrl), token })
    clients.set(token, client)
    return client
  }
  // Asked for here, so that who has none learns it before the work begins.
  clientFor(await deps.credentials.getToken(input))
  const closing = new AbortController()
  const target = `${repository.host}/${repository.owner}/${repository.name}`

  return {
    repository,
    call(what, run, options = {}) {
      const signals = [input.signal, closing.signal, ...(options.signal ? [options.signal] : [])]
      const signal = AbortSignal.any(signals)
      const request = options.retries === undefined ? { signal } : { signal, retries: options.retries }
      return withToken(deps.credentials, { ...input, signal }, (token) =>
        callGitHub(() => run(clientFor(token), request), { what, target, signal }),
      )
    },
    close: () => closing.abort(),
  }
}
