import type { GitHostKind } from '@corrigenda/contracts'
import { VERSION } from '@corrigenda/core/base'
import type { Database } from '@corrigenda/core/db'
import { toSealingKeys } from '@corrigenda/core/instance'
import type { Log } from '@corrigenda/core/runtime'
import { buildForgejo } from '../git-host/forgejo/build-forgejo.ts'
import type { GitAccess } from '../git-host/git-access.ts'
import type { GitHostAdapter, GitHosts } from '../git-host/git-host.ts'
import { buildGitHub } from '../git-host/github/build-github.ts'
import { buildGitLab } from '../git-host/gitlab/build-gitlab.ts'
import { buildProjectCredentials } from '../git-host/project-credentials.ts'
import type { RestSettings } from '../git-host/rest/open-rest-client.ts'
import { listSecrets, type WorkerConfig } from './config.ts'
import { toGitAgents } from './git-agents.ts'

/** Limits on calls to the Git host. The adapter has a default for each. */
type GitHostLimits = Omit<RestSettings, 'version'>

/** Builds the adapters for all Git hosts. Adapters are selected only here. */
export function buildGitHosts({ github }: Pick<WorkerConfig, 'github'>, limits: GitHostLimits = {}): GitHosts {
  const { apiUrl, apiUrlHost } = github
  const settings = { ...limits, version: VERSION }
  const adapters: Readonly<Record<GitHostKind, GitHostAdapter>> = {
    github: buildGitHub({ ...settings, apiUrl, apiUrlHost }),
    gitlab: buildGitLab(settings),
    forgejo: buildForgejo('forgejo', settings),
    gitea: buildForgejo('gitea', settings),
  }
  return {
    buildCredentials: (source, kind) => adapters[kind].buildCredentials(source),
    openGitHost: (input) => adapters[input.repository.kind].openGitHost(input),
  }
}

/**
 * Builds the access to Git hosts with the credentials of the environment, the instance and the
 * projects. Opens no resources.
 */
export function buildGitAccess(
  config: WorkerConfig,
  { prisma, log }: Pick<Database, 'prisma'> & { readonly log: Log },
  limits: GitHostLimits = {},
): GitAccess {
  const { buildCredentials, openGitHost } = buildGitHosts(config, limits)
  const { allowedRepositoryHosts, gitHostTokens } = config
  const { credentialKey } = toSealingKeys(config)
  const { source } = config.github
  return {
    credentials: buildProjectCredentials({
      prisma,
      log,
      credentialKey,
      source,
      gitHostTokens,
      buildCredentials,
      allowedRepositoryHosts,
    }),
    openGitHost,
    gitHttp: { agents: toGitAgents(config.proxies) },
    allowedRepositoryHosts,
    secrets: listSecrets(config),
  }
}
