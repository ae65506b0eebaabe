import type { WorkerConfig } from '../config.ts'
import { VERSION } from '../version.ts'
import { buildCredentials } from './credentials.ts'
import { type GitHub, openGitHub } from './open-github.ts'
import { toRepository } from './repository.ts'

const LIMIT_MS = 20_000

/**
 * Opens the Git host for one repository with this installation's own credential, does the work within 20 s and closes it. For commands outside a job.
 * @throws GitHubError, CredentialsError
 */
export async function withRepository<T>(
  config: WorkerConfig,
  url: string,
  work: (github: GitHub) => Promise<T>,
): Promise<T> {
  const settings = { apiUrl: config.github.apiUrl, version: VERSION }
  const credentials = buildCredentials(config.github.source, settings)
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
