import type { SourceCredential } from '@corrigenda/contracts'
import type { SourceCredentialModel } from '../generated/prisma/models/SourceCredential.ts'
import type { StoredSource } from './run-settings.ts'

/**
 * Returns the credential that workers use for each source, without its secret: the source's own
 * token, the project's token, or the credentials of the instance if an admin chose the repository.
 * A token is used only for the Git host that it was saved for.
 * @param input.projectTokenHost null if the project has no token
 */
export function toSourceCredentials(input: {
  readonly sources: readonly StoredSource[]
  readonly tokens: readonly Omit<SourceCredentialModel, 'sealedToken'>[]
  readonly projectTokenHost: string | null
}): SourceCredential[] {
  return input.sources.map(({ name, repository, mayUseInstanceCredential }) => {
    const { host } = new URL(repository)
    const own = input.tokens.find((token) => token.source === name && token.host === host)
    if (own !== undefined) {
      const { lastFour, savedBy } = own
      return { source: name, kind: 'token', token: { lastFour, savedAt: own.savedAt.toISOString(), savedBy } }
    }
    const shared = input.projectTokenHost === host ? 'project' : mayUseInstanceCredential ? 'instance' : 'none'
    return { source: name, kind: shared, token: null }
  })
}
