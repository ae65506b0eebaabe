import type { GitHost, OpenGitHost } from '../git-host.ts'
import { addLabels } from './add-labels.ts'
import type { GitHubSettings } from './build-octokit.ts'
import { compareCommits } from './compare-commits.ts'
import { createPullRequest } from './create-pull-request.ts'
import { findChecks } from './find-checks.ts'
import { findPullRequest } from './find-pull-request.ts'
import { getBranch } from './get-branch.ts'
import { getDiff } from './get-diff.ts'
import { getPullRequestRange } from './get-pull-request-range.ts'
import { getRepository } from './get-repository.ts'
import { buildGuardedFetch } from './guarded-fetch.ts'
import { hasCommit } from './has-commit.ts'
import { listCommits } from './list-commits.ts'
import { listFiles } from './list-files.ts'
import { listPullRequests } from './list-pull-requests.ts'
import { openClient } from './open-client.ts'
import { readFolder } from './read-folder.ts'
import { requestReviewers } from './request-reviewers.ts'
import { testAccess } from './test-access.ts'
import { updatePullRequest } from './update-pull-request.ts'
import { buildWorkflows } from './workflows.ts'

/** Opens clients for GitHub.com, GitHub Enterprise Cloud and GitHub Enterprise Server. */
export function buildOpenGitHub(settings: GitHubSettings): OpenGitHost {
  return async ({ credentials, guard, ...input }) => {
    const guarded = guard ? { fetch: buildGuardedFetch(settings.fetch ?? fetch, guard) } : {}
    const client = await openClient({ ...settings, ...guarded, credentials }, input)
    const host: GitHost = {
      repository: client.repository,
      getRepository: (options) => getRepository(client, options),
      readFolder: (asked) => readFolder(client, asked),
      listFiles: (asked) => listFiles(client, asked),
      getBranch: (asked) => getBranch(client, asked),
      listCommits: (asked) => listCommits(client, asked),
      compareCommits: (asked) => compareCommits(client, asked),
      getPullRequestRange: (asked) => getPullRequestRange(client, asked),
      listPullRequests: (asked) => listPullRequests(client, asked),
      findPullRequest: (asked) => findPullRequest(client, asked),
      hasCommit: (asked) => hasCommit(client, asked),
      createPullRequest: (asked) => createPullRequest(client, asked),
      updatePullRequest: (asked) => updatePullRequest(client, asked),
      addLabels: (asked) => addLabels(client, asked),
      requestReviewers: (asked) => requestReviewers(client, asked),
      findChecks: (asked) => findChecks(client, asked),
      getDiff: (asked) => getDiff(client, asked),
      testAccess: (asked) => testAccess(client, asked),
      workflows: buildWorkflows(client),
      close: client.close,
    }
    return host
  }
}
