import { randomBytes } from 'node:crypto'
import type { CallOptions } from '../call-options.ts'
import type { AccessResult, AccessTest } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { GitHubClient } from './open-client.ts'

/**
 * Tests a permission. The host checks permissions before it validates the rest of the request, so a
 * write is tested with a branch that does not exist, which changes nothing.
 */
export async function testAccess(client: GitHubClient, input: AccessTest & CallOptions): Promise<AccessResult> {
  try {
    await tryAccess(client, input)
    return 'granted'
  } catch (error) {
    if (!(error instanceof GitHostError)) throw error
    if (error.code === 'validation') return 'granted'
    if (error.code === 'forbidden' || error.code === 'unauthorized') return 'refused'
    if (error.code === 'not_found') return 'missing'
    throw error
  }
}

function tryAccess(client: GitHubClient, input: AccessTest & CallOptions): Promise<unknown> {
  const { signal } = input
  const { name } = client
  const absent = `corrigenda-connection-test-${randomBytes(16).toString('hex')}`
  switch (input.to) {
    case 'open_pull_requests': {
      const pull = { title: 'Connection test', head: absent, base: input.base, draft: true }
      return client.call(
        'try to open a pull request',
        (octokit, request) => octokit.rest.pulls.create({ ...name, ...pull, request }),
        { signal, retries: 0 },
      )
    }
    case 'read_pull_requests':
      return client.call(
        'read the pull requests',
        (octokit, request) => octokit.rest.pulls.list({ ...name, per_page: 1, request }),
        { signal },
      )
    case 'read_statuses':
      return client.call(
        'read the commit statuses',
        (octokit, request) => octokit.rest.repos.getCombinedStatusForRef({ ...name, ref: input.commit, request }),
        { signal },
      )
    case 'read_checks':
      return client.call(
        'read the checks',
        (octokit, request) => octokit.rest.checks.listForRef({ ...name, ref: input.commit, request }),
        { signal },
      )
    case 'start_workflow': {
      const dispatch = { workflow_id: input.workflow, ref: absent }
      return client.call(
        'try to start the workflow',
        (octokit, request) => octokit.rest.actions.createWorkflowDispatch({ ...name, ...dispatch, request }),
        { signal, retries: 0 },
      )
    }
  }
}
