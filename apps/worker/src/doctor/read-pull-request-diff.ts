import { toRepositoryAddress } from '@corrigenda/contracts'
import type { WorkerConfig } from '../config/config.ts'
import { VERSION } from '../config/version.ts'
import { CredentialsError } from '../git-host/credentials.ts'
import { buildGitHub } from '../git-host/github/build-github.ts'

const LIMIT_MS = 20_000

/**
 * Reads a pull request as a unified diff with this installation's own credential, within 20 s. For
 * commands outside a job.
 * @throws GitHostError, CredentialsError
 */
export async function readPullRequestDiff(
  { github }: WorkerConfig,
  repositoryUrl: string,
  number: number,
): Promise<string> {
  const { openGitHost, buildCredentials } = buildGitHub({ apiUrl: github.apiUrl, version: VERSION })
  if (github.source === null)
    throw new CredentialsError('credential_missing', 'There is no credential for the Git host: set GITHUB_TOKEN.')
  const gitHost = await openGitHost({
    credentials: buildCredentials(github.source),
    repository: toRepositoryAddress(repositoryUrl),
    access: 'publish',
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  try {
    return await gitHost.getDiff({ number })
  } finally {
    gitHost.close()
  }
}
