import { toRepositoryAddress } from '@corrigenda/contracts'
import type { WorkerConfig } from '../config/config.ts'
import { VERSION } from '../config/version.ts'
import { type Credentials, CredentialsError } from '../git-host/credentials.ts'
import type { GitHost, GitHostAdapter } from '../git-host/git-host.ts'
import { buildGitHub } from '../git-host/github/build-github.ts'

const LIMIT_MS = 20_000

/**
 * Opens the Git host for one repository, does the work within 20 s and closes it. For commands
 * outside a job.
 * @param given default: this installation's own credential
 * @throws GitHostError, CredentialsError
 */
export async function withGitHost<T>(
  config: WorkerConfig,
  url: string,
  work: (gitHost: GitHost) => Promise<T>,
  given?: Credentials,
): Promise<T> {
  const { openGitHost, buildCredentials } = buildGitHub({ apiUrl: config.github.apiUrl, version: VERSION })
  const credentials = given ?? getOwn(config, buildCredentials)
  const signal = AbortSignal.timeout(LIMIT_MS)
  const repository = toRepositoryAddress(url)
  const gitHost = await openGitHost({ credentials, repository, access: 'publish', signal })
  try {
    return await work(gitHost)
  } finally {
    gitHost.close()
  }
}

function getOwn({ github }: WorkerConfig, buildCredentials: GitHostAdapter['buildCredentials']): Credentials {
  if (github.source !== null) return buildCredentials(github.source)
  throw new CredentialsError('credential_missing', 'There is no credential for the Git host: set GITHUB_TOKEN.')
}
