import type { GitHostAdapter } from '../git-host.ts'
import type { GitHubSettings } from './build-api.ts'
import { buildCredentials } from './build-credentials.ts'
import { buildOpenGitHub } from './open-github.ts'

/** Builds the adapter for GitHub. Does no I/O. */
export function buildGitHub(settings: GitHubSettings): GitHostAdapter {
  return { buildCredentials: (source) => buildCredentials(source, settings), openGitHost: buildOpenGitHub(settings) }
}
