import type { WorkerConfig } from '../config/config.ts'
import { withGitHost } from './with-git-host.ts'

/** A pull request as a unified diff, from the host. @throws GitHostError, CredentialsError */
export function readPullRequestDiff(config: WorkerConfig, repositoryUrl: string, number: number): Promise<string> {
  return withGitHost(config, repositoryUrl, (gitHost) => gitHost.getDiff({ number }))
}
