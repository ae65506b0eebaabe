import { type GitHostKind, gitHostKind } from '@corrigenda/contracts'
import type { GitHostAdapter, GitHosts } from '../git-host/git-host.ts'
import type { GitHubSettings } from '../git-host/github/build-api.ts'
import { buildGitHub } from '../git-host/github/build-github.ts'
import type { WorkerConfig } from './config.ts'
import { VERSION } from './version.ts'

type Config = Pick<WorkerConfig, 'github'>

/** Limits on calls to the Git host. The adapter has a default for each. */
export type GitHostLimits = Omit<GitHubSettings, 'apiUrl' | 'apiUrlHost' | 'version'>

/** Adapter builders by kind of Git host. */
const ADAPTERS: Readonly<Record<GitHostKind, (config: Config, limits: GitHostLimits) => GitHostAdapter>> = {
  github: ({ github: { apiUrl, apiUrlHost } }, limits) =>
    buildGitHub({ ...limits, apiUrl, apiUrlHost, version: VERSION }),
}

/** Builds the adapters for all Git hosts. Adapters are selected only here. */
export function buildGitHosts(config: Config, limits: GitHostLimits = {}): GitHosts {
  const kinds = Object.entries(ADAPTERS).map(([kind, build]) => [kind, build(config, limits)] as const)
  const adapters = Object.fromEntries(kinds) as Record<GitHostKind, GitHostAdapter>
  return {
    buildCredentials: (source, kind) => adapters[kind].buildCredentials(source),
    openGitHost: (input) => adapters[gitHostKind(input.repository)].openGitHost(input),
  }
}
