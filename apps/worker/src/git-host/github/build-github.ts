import type { GitHostAdapter } from '../git-host.ts'
import { buildCredentials } from './build-credentials.ts'
import type { GitHubSettings } from './build-octokit.ts'
import { buildOpenGitHub } from './open-github.ts'

/** Builds the adapter for GitHub. Does no I/O. */
export function buildGitHub(settings: GitHubSettings): GitHostAdapter {
  return { buildCredentials: (source) => buildCredentials(source, settings), openGitHost: buildOpenGitHub(settings) }
}
