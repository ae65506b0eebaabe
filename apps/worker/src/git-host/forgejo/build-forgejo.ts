import { randomUUID } from 'node:crypto'
import { GIT_HOSTS } from '@corrigenda/contracts'
import { z } from 'zod'
import type { AccessTest, CallOptions, GitHostAdapter, OpenGitHost } from '../git-host.ts'
import { openRestClient, type RestClient, type RestDialect, type RestSettings } from '../rest/open-rest-client.ts'
import { toAccessResult } from '../rest/to-access-result.ts'
import { buildTokenCredentials } from '../rest/token-credentials.ts'
import { buildActions, findWorkflowFile, readStatus } from './actions.ts'
import { buildPullRequests } from './pull-requests.ts'
import { buildRemarks } from './remarks.ts'
import { buildRepository, type ForgejoRepository } from './repository.ts'

const User = z.object({ login: z.string(), full_name: z.string().nullish(), email: z.string() })

/**
 * Builds the adapter for Forgejo or Gitea, which have the same API for the calls that are used here.
 * Does no I/O.
 */
export function buildForgejo(kind: 'forgejo' | 'gitea', settings: RestSettings): GitHostAdapter {
  const { label, tokenNeeds } = GIT_HOSTS[kind]
  const dialect: RestDialect = {
    label,
    apiPath: '/api/v1',
    toAuthorization: (token) => `token ${token}`,
    toNeeds: (access) => (access.startsWith('read') ? tokenNeeds.read : tokenNeeds.publish),
    page: { name: 'limit', size: 50, isFixed: false },
  }
  return {
    buildCredentials: (source) =>
      buildTokenCredentials(source, async (input) => {
        const client = await openRestClient(settings, dialect, input)
        const user = await client.call({ what: "read the token's user", path: '/user', schema: User })
        return { name: user.full_name || user.login, email: user.email }
      }),
    openGitHost: buildOpenForgejo(kind, settings, dialect),
  }
}

/** Paths of calls start below the repository. A host redirects the old name of a repository. */
function inRepository(client: RestClient): ForgejoRepository {
  const prefix = `/repos/${client.repository.path}`
  return {
    call: (call) => client.call({ ...call, path: `${prefix}${call.path}` }),
    list: (call, options) => client.list({ ...call, path: `${prefix}${call.path}` }, options),
  }
}

function buildOpenForgejo(kind: 'forgejo' | 'gitea', settings: RestSettings, dialect: RestDialect): OpenGitHost {
  return async (input) => {
    const client = await openRestClient(settings, dialect, input)
    const repository = inRepository(client)
    return {
      repository: client.repository,
      ...buildRepository(repository),
      ...buildPullRequests(repository),
      ...buildRemarks(repository),
      ...buildActions(kind, repository),
      testAccess: (asked) => toAccessResult(() => tryAccess(repository, asked)),
      [Symbol.dispose]: client.close,
    }
  }
}

/** The host checks permissions before it rejects a pull request from a branch to itself. */
function tryAccess(repository: ForgejoRepository, input: AccessTest & CallOptions): Promise<unknown> {
  const { signal } = input
  switch (input.to) {
    case 'open_pull_requests':
      return repository.call({
        what: 'try to open a pull request',
        method: 'POST',
        path: '/pulls',
        body: { head: input.base, base: input.base, title: 'Connection test' },
        schema: z.never(),
        signal,
      })
    case 'read_pull_requests': {
      const schema = z.array(z.unknown())
      return repository.call({ what: 'read the pull requests', path: '/pulls', query: { limit: 1 }, schema, signal })
    }
    case 'read_statuses':
    case 'read_checks':
      return readStatus(repository, input.commit, signal)
    case 'start_workflow':
      return tryWorkflow(repository, input.workflow, signal)
  }
}

async function tryWorkflow(repository: ForgejoRepository, workflow: string, signal: AbortSignal | undefined) {
  const { default_branch: ref } = await repository.call({
    what: 'read the repository',
    path: '',
    schema: z.object({ default_branch: z.string() }),
    signal,
  })
  await findWorkflowFile(repository, { workflow, ref, signal })
  return repository.call({
    what: 'try to start the workflow',
    method: 'POST',
    path: `/actions/workflows/${encodeURIComponent(workflow)}/dispatches`,
    body: { ref: `corrigenda-connection-test-${randomUUID()}` },
    schema: z.never(),
    signal,
  })
}
