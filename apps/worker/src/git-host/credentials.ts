import type { RepositoryAddress } from '@corrigenda/contracts'

export type CredentialSource =
  | {
      readonly kind: 'token'
      readonly token: string
      /** `host[:port]` that the token is for; left out: every allowed one. */
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
 * No token is available and trying again does not help. The message says what to change and holds
 * no secret.
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

/** Names and levels as the host's API has them (GitHub: `contents`: `write`). */
export type Permissions = Readonly<Record<string, string>>

export interface Credentials {
  /**
   * A token for one repository. For an App, it opens this repository only, has no more than the
   * access asked for and is valid for at least five more minutes. `refused` is a token that the
   * host did not accept: an App gets another one.
   * @throws CredentialsError, GitHostError
   */
  getToken(input: {
    repository: RepositoryAddress
    access: Access
    signal: AbortSignal
    refused?: string
  }): Promise<string>
  /**
   * What an App may do with a repository; null for a personal token, which does not say.
   * @throws CredentialsError, GitHostError
   */
  findPermissions(input: { repository: RepositoryAddress; signal: AbortSignal }): Promise<Permissions | null>
  /** The credentials of one project. Those that are the same for all projects return themselves. */
  forProject(projectId: string): Credentials
}
