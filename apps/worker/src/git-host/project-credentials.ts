import { type AllowedHosts, findAllowedHost, type RepositoryAddress, toHostNames } from '@corrigenda/contracts'
import {
  findStoredCredential,
  loadSourceCredential,
  SealedCredentialError,
  type StoredCredential,
} from '@corrigenda/core/credentials'
import type { Database } from '@corrigenda/core/db'
import type { SealingKey } from '@corrigenda/core/instance'
import { hideInLog, type Log } from '@corrigenda/core/runtime'
import { type CredentialSource, type Credentials, CredentialsError, type SourceCredentialOwner } from './credentials.ts'
import type { GitHosts } from './git-host.ts'

interface ProjectCredentialsDeps extends Pick<Database, 'prisma'> {
  /** Decrypts the credentials in the database (see `toSealingKeys`). */
  readonly credentialKey: SealingKey
  readonly log: Log
  /** GITHUB_TOKEN or the GitHub App from the environment; null if neither is set. */
  readonly source: CredentialSource | null
  /** Tokens of the environment for hosts of other kinds than GitHub. */
  readonly gitHostTokens?: ReadonlyMap<string, string>
  readonly buildCredentials: GitHosts['buildCredentials']
  /** No credential is sent to any other host, including for work that began before a change. */
  readonly allowedRepositoryHosts: AllowedHosts
  /** How long a credential from the database is cached, in ms; default 5 s. */
  readonly cacheMs?: number
}

const CACHE_MS = 5_000
const MAX_CACHED = 500

/**
 * Builds credentials that use the first available token source for a project: the project's own
 * token, the App stored in the database for the Git host, or the environment. A change takes effect
 * within `cacheMs`, or immediately when the host rejects a token. The environment's credentials are
 * also used if the App is not installed on a repository, and for calls without a project.
 * @throws CredentialsError `bad_app_key` if the key of the environment's App cannot be parsed
 */
export function buildProjectCredentials(deps: ProjectCredentialsDeps): Credentials {
  const ofEnvironment = deps.source && deps.buildCredentials(deps.source, 'github')
  const onlyHost = deps.source?.host
  const known = new Map<string, { readonly at: number; readonly credential: Promise<StoredCredential | null> }>()
  let app: { readonly key: string; readonly credentials: Credentials } | null = null

  // GITHUB_TOKEN is never sent to a host of another kind.
  const findEnvironment = ({ host, kind }: RepositoryAddress): Credentials => {
    assertAllowed(host, deps.allowedRepositoryHosts)
    if (kind !== 'github') {
      const token = deps.gitHostTokens?.get(host)
      return token === undefined ? NONE : deps.buildCredentials({ kind: 'token', token }, kind)
    }
    return (onlyHost === undefined || onlyHost === host ? ofEnvironment : null) ?? NONE
  }

  const lookUp = (projectId: string, isFresh: boolean): Promise<StoredCredential | null> => {
    const cached = known.get(projectId)
    const now = performance.now()
    if (cached && !isFresh && now - cached.at < (deps.cacheMs ?? CACHE_MS)) return cached.credential
    if (known.size >= MAX_CACHED) known.clear()
    const credential = findStoredCredential(deps, projectId).then((found) => {
      // Only the App's key, which belongs to the operator. A project's token is free text of a
      // tenant and must not affect the log lines of other projects.
      if (found?.kind === 'app') hideInLog(deps.log, found.privateKey)
      return found
    })
    known.set(projectId, { at: now, credential })
    // A failed query is not cached.
    credential.catch(() => known.delete(projectId))
    return credential
  }

  /** Caches one App at a time, so that all projects share its tokens. */
  const toAppCredentials = ({ appId, privateKey }: StoredCredential & { kind: 'app' }): Credentials => {
    const key = `${appId} ${privateKey}`
    if (app?.key !== key)
      app = { key, credentials: deps.buildCredentials({ kind: 'app', appId, privateKey }, 'github') }
    return app.credentials
  }

  const withEach = async <T>(
    projectId: string,
    input: {
      repository: RepositoryAddress
      isFresh: boolean
      onSecret: ((secret: string) => void) | undefined
      /** The source whose repository is read; undefined for the documentation repository. */
      source: SourceCredentialOwner | undefined
    },
    ask: (credentials: Credentials) => Promise<T>,
  ): Promise<T> => {
    const environment = findEnvironment(input.repository)
    const { source } = input
    const askWith = (token: string) => ask(deps.buildCredentials({ kind: 'token', token }, input.repository.kind))
    const own = source && (await loadOwn(projectId, source.name))
    if (own) {
      input.onSecret?.(own.token)
      if (own.host !== input.repository.host) throw toOtherHost(own.host, input.repository.host, source.name)
      return askWith(own.token)
    }
    const stored = await lookUp(projectId, input.isFresh).catch((error: unknown) => {
      throw error instanceof SealedCredentialError ? toUnreadable(error) : error
    })
    if (stored) input.onSecret?.(stored.kind === 'token' ? stored.token : stored.privateKey)
    if (stored?.kind === 'token') {
      if (stored.host === input.repository.host) return askWith(stored.token)
      if (source === undefined) throw toOtherHost(stored.host, input.repository.host)
    }
    if (source?.mayUseInstanceCredential === false) throw toUntrusted(source.name)
    if (stored?.kind === 'app' && stored.host === input.repository.host) {
      try {
        return await ask(toAppCredentials(stored))
      } catch (error) {
        const isMissing = error instanceof CredentialsError && error.code === 'installation_missing'
        if (!isMissing || environment === NONE) throw error
      }
    }
    return ask(environment)
  }

  const loadOwn = (projectId: string, source: string) =>
    loadSourceCredential(deps, { projectId, source }).catch((error: unknown) => {
      throw error instanceof SealedCredentialError ? toUnreadable(error, source) : error
    })

  const build = (
    projectId: string,
    onSecret?: (secret: string) => void,
    source?: SourceCredentialOwner,
  ): Credentials => ({
    // The rejected token may just have been replaced in the database.
    getToken: (input) =>
      withEach(
        projectId,
        { repository: input.repository, isFresh: input.refused !== undefined, onSecret, source },
        (credentials) => credentials.getToken(input),
      ),
    findPermissions: (input) =>
      withEach(projectId, { repository: input.repository, isFresh: true, onSecret, source }, (credentials) =>
        credentials.findPermissions(input),
      ),
    findIdentity: (input) =>
      withEach(projectId, { repository: input.repository, isFresh: false, onSecret, source }, (credentials) =>
        credentials.findIdentity(input),
      ),
    forProject,
    forSource: (owner) => build(projectId, onSecret, owner),
  })
  const forProject: Credentials['forProject'] = (projectId, onSecret) => build(projectId, onSecret)
  const shared: Credentials = {
    getToken: async (input) => findEnvironment(input.repository).getToken(input),
    findPermissions: async (input) => findEnvironment(input.repository).findPermissions(input),
    findIdentity: async (input) => findEnvironment(input.repository).findIdentity(input),
    forProject,
    forSource: () => shared,
  }
  return shared
}

const refuse = async (): Promise<never> => {
  throw new CredentialsError(
    'credential_missing',
    'No credential is configured for the Git host. Save an access token in the project settings, or set GIT_HOST_TOKENS for the workers. For GitHub, set GITHUB_TOKEN or create a GitHub App on the operations page.',
  )
}

const NONE: Credentials = {
  getToken: refuse,
  findPermissions: refuse,
  findIdentity: refuse,
  forProject: () => NONE,
  forSource: () => NONE,
}

function assertAllowed(host: string, allowedHosts: AllowedHosts): void {
  if (findAllowedHost(allowedHosts, host) !== null) return
  throw new CredentialsError(
    'host_not_allowed',
    `Repositories on ${host} are not allowed. Allowed hosts: ${toHostNames(allowedHosts).join(', ')} (ALLOWED_REPOSITORY_HOSTS, GIT_HOSTS).`,
  )
}

const toOwner = (source?: string): string => (source === undefined ? 'The project' : `The source ${source}`)

function toOtherHost(stored: string, host: string, source?: string): CredentialsError {
  return new CredentialsError(
    'credential_missing',
    `${toOwner(source)}'s stored token was saved for ${stored} and is not sent to ${host}. Save a token for ${host} in the project settings.`,
  )
}

function toUntrusted(source: string): CredentialsError {
  return new CredentialsError(
    'credential_missing',
    `The instance's credentials may not be used for the source ${source}, because no admin chose its repository. Save a token for the source in the project settings.`,
  )
}

function toUnreadable({ what }: SealedCredentialError, source?: string): CredentialsError {
  return new CredentialsError(
    'credential_missing',
    what === 'token'
      ? `${toOwner(source)}'s stored token cannot be decrypted. Save it again in the project settings.`
      : 'The stored GitHub App cannot be decrypted. Delete it on the operations page and create it again.',
  )
}
