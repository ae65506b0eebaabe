import type { WorkerConfig } from '../config/config.ts'
import { VERSION } from '../config/version.ts'
import { buildCredentials, type Credentials, CredentialsError } from './credentials.ts'
import { type GitHub, openGitHub } from './open-github.ts'
import { toRepository } from './repository.ts'

const LIMIT_MS = 20_000

/**
 * Opens the Git host for one repository, does the work within 20 s and closes it. For commands outside a job.
 * @param given default: this installation's own credential
 * @throws GitHubError, CredentialsError
 */
export async function withRepository<T>(
  config: WorkerConfig,
  url: string,
  work: (github: GitHub) => Promise<T>,
  given?: Credentials,
): Promise<T> {
  const settings = { apiUrl: config.github.apiUrl, version: VERSION }
  const credentials = given ?? getOwn(config)
  const signal = AbortSignal.timeout(LIMIT_MS)
  const github = await openGitHub(
    { ...settings, credentials },
    { repository: toRepository(url), access: 'publish', signal },
  )
  try {
    return await work(github)
  } finally {
    github.close()
  }
}

function getOwn({ github }: WorkerConfig): Credentials {
  if (github.source !== null) return buildCredentials(github.source, { apiUrl: github.apiUrl, version: VERSION })
  throw new CredentialsError('credential_missing', 'There is no credential for the Git host: set GITHUB_TOKEN.')
}
