import type { RepositoryAddress } from '@corrigenda/contracts'

export type CredentialSource =
  | {
      readonly kind: 'token'
      readonly token: string
      /**
       * `host[:port]` for which the token is valid. If omitted, it is valid for every allowed host.
       */
      readonly host?: string
    }
  | { readonly kind: 'app'; readonly appId: string | number; readonly privateKey: string }

export type Access = 'read' | 'publish' | 'watch' | 'deploy'

export type CredentialsErrorCode =
  | 'credential_missing'
  | 'bad_app_key'
  | 'app_refused'
  | 'installation_missing'
  | 'permission_missing'
  | 'token_too_broad'

/**
 * Error for an unavailable token. A retry does not help. The message states what to change and
 * contains no secret.
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

/** Permission names and levels of the host's API (GitHub: `contents`: `write`). */
export type Permissions = Readonly<Record<string, string>>

export interface Credentials {
  /**
   * Returns a token for one repository. A token of an App opens this repository only, has no more
   * than the requested access and is valid for at least five more minutes. `refused` is a token
   * that the host did not accept. An App then gets a new one.
   * @throws CredentialsError, GitHostError
   */
  getToken(input: {
    repository: RepositoryAddress
    access: Access
    signal: AbortSignal
    refused?: string
  }): Promise<string>
  /**
   * Returns the permissions of an App for a repository; null for a personal token, which does not
   * list them.
   * @throws CredentialsError, GitHostError
   */
  findPermissions(input: { repository: RepositoryAddress; signal: AbortSignal }): Promise<Permissions | null>
  /**
   * Returns the credentials of one project. Credentials that are the same for all projects return
   * themselves.
   */
  forProject(projectId: string): Credentials
}
