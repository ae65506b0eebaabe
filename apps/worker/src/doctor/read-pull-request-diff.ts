import { toRepositoryAddress } from '@corrigenda/contracts'
import { buildGitHosts } from '../config/build-git-hosts.ts'
import type { WorkerConfig } from '../config/config.ts'
import { CredentialsError } from '../git-host/credentials.ts'

const LIMIT_MS = 20_000

/**
 * Uses the environment's credential to read a pull request as a unified diff, within 20 s. For
 * commands that run outside a job.
 * @throws GitHostError, CredentialsError
 */
export async function readPullRequestDiff(
  config: WorkerConfig,
  repositoryUrl: string,
  number: number,
): Promise<string> {
  const { openGitHost, buildCredentials } = buildGitHosts(config)
  const { source } = config.github
  if (source === null)
    throw new CredentialsError('credential_missing', 'No credential is configured for the Git host. Set GITHUB_TOKEN.')
  const repository = toRepositoryAddress(repositoryUrl)
  using gitHost = await openGitHost({
    credentials: buildCredentials(source, repository.kind),
    repository,
    access: 'publish',
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  return await gitHost.getDiff({ number })
}
