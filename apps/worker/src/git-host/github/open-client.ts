import type { RepositoryAddress } from '@corrigenda/contracts'
import type { Octokit } from '@octokit/rest'
import type { Access, Credentials } from '../credentials.ts'
import { withToken } from '../with-token.ts'
import { buildOctokit, type GitHubSettings } from './build-octokit.ts'
import { callGitHub } from './call-github.ts'
import { toApiUrl } from './to-api-url.ts'
import { type OwnerAndName, toOwnerAndName } from './to-owner-and-name.ts'

export interface RequestOptions {
  /** Aborts this call. The client's signal also aborts it. */
  readonly signal?: AbortSignal | undefined
  /** Maximum number of retries by the client after a 5xx or a broken connection; 0 for writes. */
  readonly retries?: number
}

/** REST API client for one repository and one credential. */
export interface GitHubClient {
  readonly repository: RepositoryAddress
  /**
   * Owner and name as last read from the host, initially those in the URL. The host redirects the
   * old name after a rename.
   */
  readonly name: OwnerAndName
  setName(name: OwnerAndName): void
  /**
   * Runs one request and returns its data. `what` completes "could not …" in the error. `request`
   * must be passed to Octokit, because it contains the signal.
   * @throws GitHostError
   */
  call<T>(
    what: string,
    run: (octokit: Octokit, request: { signal: AbortSignal; retries?: number }) => Promise<{ data: T }>,
    options?: RequestOptions,
  ): Promise<T>
  /** Aborts calls in progress. Can be called more than once. */
  close(): void
}

/**
 * Opens a client for one repository. `signal` aborts its calls. If the host rejects an App's token,
 * the request is sent once more with a new token.
 * @throws GitHostError; CredentialsError when no token is available
 */
export async function openClient(
  deps: GitHubSettings & { credentials: Credentials },
  input: { repository: RepositoryAddress; access: Access; signal: AbortSignal },
): Promise<GitHubClient> {
  const { repository } = input
  let name = toOwnerAndName(repository)
  const clients = new Map<string, Octokit>()
  const clientFor = (token: string): Octokit => {
    const client = clients.get(token) ?? buildOctokit(deps, { apiUrl: toApiUrl(repository, deps), token })
    clients.set(token, client)
    return client
  }
  // Reports a missing credential before the work starts.
  clientFor(await deps.credentials.getToken(input))
  const closing = new AbortController()
  const target = `${repository.host}/${repository.path}`

  return {
    repository,
    get name() {
      return name
    },
    setName(present) {
      name = present
    },
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
