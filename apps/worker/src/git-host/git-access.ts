import { type AllowedHosts, type RepositoryAddress, toRepositoryAddress } from '@corrigenda/contracts'
import type { Database } from '@corrigenda/core/db'
import { toRepositoryUrl } from '@corrigenda/core/projects'
import type { Log } from '@corrigenda/core/runtime'
import { GitHttpError } from '@corrigenda/git/http'
import type { HttpPolicy } from '@corrigenda/git/mirror'
import type { Mirrors, Snapshot } from '@corrigenda/git/snapshot'
import { type Access, type Credentials, CredentialsError } from './credentials.ts'
import type { GitHost, OpenGitHost } from './git-host.ts'
import { GitHostError } from './git-host-error.ts'

/** What work on a repository needs to reach its Git host. */
export interface GitAccess {
  readonly credentials: Credentials
  readonly openGitHost: OpenGitHost
  /** Deadlines and retries for Git requests other than downloads. */
  readonly gitHttp: HttpPolicy
  readonly allowedRepositoryHosts: AllowedHosts
  /** Values that must not appear in any change or in anything else the service writes. */
  readonly secrets: readonly string[]
}

/** What work on the repository of a claimed row needs. */
export interface RepositoryWorkDeps extends GitAccess {
  readonly prisma: Database['prisma']
  readonly log: Log
}

/**
 * Returns the dependencies with the project's credentials. Call this before working on anything
 * that a worker has claimed. `secrets` is a copy for this work: it contains the process's secrets
 * and grows by the credential of this project only, so that a token of one project does not redact
 * or reject texts of another.
 */
export function forProject<T extends Pick<GitAccess, 'credentials' | 'secrets'>>(deps: T, projectId: string): T {
  const secrets = [...deps.secrets]
  const credentials = deps.credentials.forProject(projectId, (secret) => {
    if (!secrets.includes(secret)) secrets.push(secret)
  })
  return { ...deps, credentials, secrets }
}

/**
 * Parses the URL of a stored repository. The operator may have changed the allowed hosts since the
 * repository was saved, and a credential must not be sent to a host that is no longer allowed.
 * @throws CredentialsError `host_not_allowed`
 */
export function toAllowedRepository(
  { allowedRepositoryHosts }: Pick<GitAccess, 'allowedRepositoryHosts'>,
  url: string,
): RepositoryAddress {
  try {
    return toRepositoryAddress(toRepositoryUrl(url, allowedRepositoryHosts), allowedRepositoryHosts)
  } catch (error) {
    throw new CredentialsError('host_not_allowed', error instanceof Error ? error.message : String(error))
  }
}

/**
 * Runs work that requires a token. If the host rejects an App's token (because it was revoked, or
 * the host's and worker's clocks differ), runs the work once more with a new token. A personal
 * token cannot be replaced.
 * @throws errors from `work` and getToken
 */
export async function withToken<T>(
  credentials: Credentials,
  input: { repository: RepositoryAddress; access: Access; signal: AbortSignal },
  work: (token: string) => Promise<T>,
): Promise<T> {
  const token = await credentials.getToken(input)
  try {
    return await work(token)
  } catch (error) {
    // A rejected request was not carried out, so it may be sent again.
    const isHostError = error instanceof GitHostError || error instanceof GitHttpError
    if (!isHostError || error.code !== 'unauthorized') throw error
    const fresh = await credentials.getToken({ ...input, refused: token })
    if (fresh === token) throw error
    return await work(fresh)
  }
}

/**
 * Opens a client with this access. If the App lacks a permission for it, opens one with `publish`
 * access, which suffices for a part of the calls.
 * @throws CredentialsError, GitHostError
 */
export async function openWithBestAccess(
  { credentials, openGitHost }: Pick<GitAccess, 'credentials' | 'openGitHost'>,
  input: { repository: RepositoryAddress; access: Access; signal: AbortSignal },
): Promise<GitHost> {
  try {
    return await openGitHost({ credentials, ...input })
  } catch (error) {
    if (!(error instanceof CredentialsError) || error.code !== 'permission_missing') throw error
    return openGitHost({ credentials, ...input, access: 'publish' })
  }
}

/**
 * Opens a project's copy of a repository at a commit, or at the newest commit of a branch.
 * @param input.branch null for the default branch
 * @throws RepositoryError, GitHttpError, Git host errors, the signal's reason
 */
export function openSnapshot(
  deps: Pick<GitAccess, 'credentials'> & { readonly mirrors: Mirrors },
  input: {
    projectId: string
    repository: RepositoryAddress
    branch: string | null
    commit?: string | undefined
    signal: AbortSignal
  },
): Promise<Snapshot> {
  const { projectId, repository, branch, commit, signal } = input
  return withToken(deps.credentials, { repository, access: 'read', signal }, (token) =>
    deps.mirrors.openSnapshot({ tenant: projectId, url: `${repository.url}.git`, branch, commit, token, signal }),
  )
}
