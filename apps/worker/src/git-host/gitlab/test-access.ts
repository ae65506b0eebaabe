import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { AccessTest, CallOptions } from '../git-host.ts'
import { toAccessResult } from '../rest/to-access-result.ts'
import type { GitLabProject } from './open-project.ts'
import { listStatuses } from './pipelines.ts'
import { readFile } from './repository.ts'

/**
 * Tests a permission. GitLab checks permissions before it validates the rest of the request. It
 * would open a merge request from a branch that does not exist, but not from a branch to itself.
 */
export const testAccess = (project: GitLabProject, input: AccessTest & CallOptions) =>
  toAccessResult(() => tryAccess(project, input))

async function tryAccess(project: GitLabProject, input: AccessTest & CallOptions): Promise<unknown> {
  const { signal } = input
  switch (input.to) {
    case 'open_pull_requests':
      return project.call({
        what: 'try to open a merge request',
        method: 'POST',
        path: '/merge_requests',
        body: { source_branch: input.base, target_branch: input.base, title: 'Connection test' },
        schema: z.never(),
        signal,
      })
    case 'read_pull_requests': {
      const [path, schema] = ['/merge_requests', z.array(z.unknown())]
      return project.call({ what: 'read the merge requests', path, query: { per_page: 1 }, schema, signal })
    }
    case 'read_statuses':
    case 'read_checks':
      return listStatuses(project, input.commit, signal)
    case 'start_workflow': {
      const { default_branch: ref } = await project.read(signal)
      await readFile(project, { path: input.workflow, ref: ref ?? 'HEAD', signal })
      return project.call({
        what: 'try to start a pipeline',
        method: 'POST',
        path: '/pipeline',
        body: { ref: `corrigenda-connection-test-${randomBytes(16).toString('hex')}` },
        schema: z.never(),
        signal,
      })
    }
  }
}
