import type { RepositoryAddress } from '@corrigenda/contracts'
import type { Access, Credentials } from '../credentials.ts'
import { withToken } from '../git-access.ts'
import type { CallOptions } from '../git-host.ts'
import {
  type ApiCall,
  buildApi,
  type GitHubApi,
  type GitHubSettings,
  type OwnerAndName,
  toApiUrl,
  toOwnerAndName,
} from './build-api.ts'
import { ACCESS_NEEDS } from './build-credentials.ts'

/** A request to the client's repository. The client's signal also aborts it. */
type RepositoryCall<T> = Omit<ApiCall<T>, 'target' | 'signal'> & {
  readonly signal?: CallOptions['signal'] | undefined
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
   * Sends one request and returns its parsed response.
   * @throws GitHostError
   */
  call<T>(call: RepositoryCall<T>): Promise<T>
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
  const { repository, access } = input
  let name = toOwnerAndName(repository)
  const apis = new Map<string, GitHubApi>()
  const apiFor = (token: string): GitHubApi => {
    const api = apis.get(token) ?? buildApi(deps, { apiUrl: toApiUrl(repository, deps), token })
    apis.set(token, api)
    return api
  }
  // Reports a missing credential before the work starts.
  apiFor(await deps.credentials.getToken(input))
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
    call(call) {
      const signal = AbortSignal.any([input.signal, closing.signal, ...(call.signal ? [call.signal] : [])])
      return withToken(deps.credentials, { ...input, signal }, (token) =>
        apiFor(token)({ needs: ACCESS_NEEDS[access], ...call, target, signal }),
      )
    },
    close: () => closing.abort(),
  }
}
