import type { GitHostAdapter } from '../git-host/git-host.ts'
import { buildGitHub } from '../git-host/github/build-github.ts'
import type { GitHubSettings } from '../git-host/github/build-octokit.ts'
import type { WorkerConfig } from './config.ts'
import { VERSION } from './version.ts'

/** Limits of the calls to the Git host; the adapter has a default for each. */
export type GitHostLimits = Omit<GitHubSettings, 'apiUrl' | 'version'>

/** Builds the adapter for this installation's Git host. The only place that chooses one. */
export function buildGitHostAdapter(config: Pick<WorkerConfig, 'github'>, limits: GitHostLimits = {}): GitHostAdapter {
  return buildGitHub({ ...limits, apiUrl: config.github.apiUrl, version: VERSION })
}
