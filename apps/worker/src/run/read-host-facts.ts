import type { RepositoryAddress } from '@corrigenda/contracts'
import { UNKNOWN_AUTHOR } from '@corrigenda/core/runs'
import { type CommitIdentity, CredentialsError } from '../git-host/credentials.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** What the Git host reports about a commit's author and its readers. */
export interface HostFacts {
  readonly author: CommitIdentity
  /** False if the repository is public, or if the host does not report its visibility. */
  readonly isPrivate: boolean
}

/**
 * Reads the credential's account and the repository's visibility. A job does not fail if the host
 * does not report them.
 * @throws the signal's reason
 */
export async function readHostFacts(
  { credentials, openGitHost, log }: Pick<WorkerDeps, 'credentials' | 'openGitHost' | 'log'>,
  repository: RepositoryAddress,
  signal: AbortSignal,
): Promise<HostFacts> {
  const orNull = async <T>(what: string, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof GitHostError) && !(error instanceof CredentialsError)) throw error
      log.warn({ repository: repository.url, err: error }, `the Git host did not report ${what}`)
      return null
    }
  }
  const author = await orNull('the author of commits', () => credentials.findIdentity({ repository, signal }))
  const facts = await orNull("the repository's visibility", async () => {
    const gitHost = await openGitHost({ credentials, repository, access: 'read', signal })
    try {
      return await gitHost.getRepository({ signal })
    } finally {
      gitHost.close()
    }
  })
  return { author: author ?? UNKNOWN_AUTHOR, isPrivate: facts?.isPrivate === true }
}
