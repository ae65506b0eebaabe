import { type CommitIdentity, type CredentialSource, type Credentials, CredentialsError } from '../credentials.ts'
import type { OpenGitHostInput } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'

/**
 * Builds the credentials of a host whose only credentials are access tokens.
 * @throws CredentialsError `bad_app_key` for a GitHub App
 */
export function buildTokenCredentials(
  source: CredentialSource,
  readIdentity: (input: OpenGitHostInput) => Promise<CommitIdentity>,
): Credentials {
  if (source.kind !== 'token') {
    throw new CredentialsError(
      'bad_app_key',
      'This Git host does not accept a GitHub App. Save an access token instead.',
    )
  }
  const { token } = source
  const credentials: Credentials = {
    getToken: async () => token,
    findPermissions: async () => null,
    async findIdentity(input) {
      try {
        return await readIdentity({ ...input, credentials, access: 'read' })
      } catch (error) {
        const hidden = ['forbidden', 'not_found', 'unauthorized']
        if (error instanceof GitHostError && hidden.includes(error.code)) return null
        throw error
      }
    },
    forProject: () => credentials,
    forSource: () => credentials,
  }
  return credentials
}
