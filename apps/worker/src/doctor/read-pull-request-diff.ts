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
  const repository = toRepositoryAddress(repositoryUrl, config.allowedRepositoryHosts)
  const token = config.gitHostTokens.get(repository.host)
  const source = token === undefined ? config.github.source : { kind: 'token' as const, token }
  if (source === null || (token === undefined && repository.kind !== 'github')) {
    throw new CredentialsError(
      'credential_missing',
      'No credential is configured for the Git host. Set GIT_HOST_TOKENS or, for GitHub, GITHUB_TOKEN.',
    )
  }
  using gitHost = await openGitHost({
    credentials: buildCredentials(source, repository.kind),
    repository,
    access: 'publish',
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  return await gitHost.getDiff({ number })
}
