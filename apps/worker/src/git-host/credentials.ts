import type { RepositoryAddress } from '@corrigenda/contracts'

/** `host` is the `host[:port]` that receives the credential. If omitted, every allowed host does. */
export type CredentialSource =
  | {
      readonly kind: 'token'
      readonly token: string
      readonly host?: string
    }
  | { readonly kind: 'app'; readonly appId: string | number; readonly privateKey: string; readonly host?: string }

export type Access = 'read' | 'read_pulls' | 'publish' | 'watch' | 'deploy'

export type CredentialsErrorCode =
  | 'credential_missing'
  | 'host_not_allowed'
  | 'bad_app_key'
  | 'app_refused'
  | 'installation_missing'
  | 'permission_missing'
  | 'token_too_broad'

/**
 * Error thrown when no token is available. Retrying does not help. The message states what to
 * change and contains no secrets.
 */
export class CredentialsError extends Error {
  constructor(
    readonly code: CredentialsErrorCode,
    message: string,
  ) {
    super(message)
    this.name = 'CredentialsError'
  }
}

export interface CommitIdentity {
  readonly name: string
  readonly email: string
}

export interface SourceCredentialOwner {
  /** Name of the source in its project. */
  readonly name: string
  /** Whether the App and the environment's token may be used. See `StoredSource`. */
  readonly mayUseInstanceCredential: boolean
}

/** Permission names and levels in the host's API (GitHub: `contents`: `write`). */
export type Permissions = Readonly<Record<string, string>>

export interface Credentials {
  /**
   * Returns a token for one repository. An App's token is limited to this repository and the
   * requested access, and is valid for at least five more minutes. `refused` is a token that the
   * host rejected. If it is an App's token, it is replaced.
   * @throws CredentialsError, GitHostError
   */
  getToken(input: {
    repository: RepositoryAddress
    access: Access
    signal: AbortSignal
    refused?: string
  }): Promise<string>
  /**
   * Returns an App's permissions for a repository; null for a personal token, whose permissions are
   * unknown.
   * @throws CredentialsError, GitHostError
   */
  findPermissions(input: { repository: RepositoryAddress; signal: AbortSignal }): Promise<Permissions | null>
  /**
   * Returns the account that the credential belongs to, as the author of commits: the App's bot, or
   * the user of a token, with the address that the host gives them. Null if the host does not
   * report it.
   * @throws CredentialsError, GitHostError
   */
  findIdentity(input: { repository: RepositoryAddress; signal: AbortSignal }): Promise<CommitIdentity | null>
  /**
   * Returns a project's credentials, or this object if all projects share its credentials.
   * `onSecret` is called with each stored secret that is loaded for the project.
   */
  forProject(projectId: string, onSecret?: (secret: string) => void): Credentials
  /**
   * Returns the credentials of a source of the project, or this object if all repositories share
   * its credentials.
   */
  forSource(source: SourceCredentialOwner): Credentials
}
