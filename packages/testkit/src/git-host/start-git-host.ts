import { type GitHost, type GitHostOptions, startGitHost as startUncheckedGitHost } from '@corrigenda/demo'
import { loadOpenapi } from './openapi.ts'

/**
 * Starts the demo's Git host, which validates requests and responses against GitHub's OpenAPI
 * description.
 */
export function startGitHost(options: Omit<GitHostOptions, 'checks'>): Promise<GitHost> {
  return startUncheckedGitHost({ ...options, checks: loadOpenapi() })
}
