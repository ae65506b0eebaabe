/**
 * The operations that the host serves, keyed by Octokit name. Each value is the method and path in
 * GitHub's documentation (https://docs.github.com/rest), followed by the query parameters that the
 * host supports. `{ref+}` may contain slashes.
 */
export const OPERATIONS = {
  'actions.createWorkflowDispatch': 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
  'actions.getWorkflow': 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}',
  'actions.getWorkflowRun': 'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
  'actions.listWorkflowRuns': 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs?event&per_page&page',
  'actions.listWorkflowRunsForRepo': 'GET /repos/{owner}/{repo}/actions/runs?event&per_page&page',
  'apps.createFromManifest': 'POST /app-manifests/{code}/conversions',
  'apps.createInstallationAccessToken': 'POST /app/installations/{installation_id}/access_tokens',
  'apps.getAuthenticated': 'GET /app',
  'apps.getRepoInstallation': 'GET /repos/{owner}/{repo}/installation',
  'checks.listForRef': 'GET /repos/{owner}/{repo}/commits/{ref+}/check-runs?per_page&page',
  'git.getTree': 'GET /repos/{owner}/{repo}/git/trees/{tree_sha+}?recursive',
  'issues.addLabels': 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
  'issues.createComment': 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'issues.listComments': 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments?since&per_page&page',
  'issues.updateComment': 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'pulls.create': 'POST /repos/{owner}/{repo}/pulls',
  'pulls.createReplyForReviewComment': 'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
  'pulls.get': 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  'pulls.list': 'GET /repos/{owner}/{repo}/pulls?state&head&per_page&page',
  'pulls.listCommits': 'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits?per_page&page',
  'pulls.listReviewComments': 'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments?since&per_page&page',
  'pulls.listReviews': 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews?per_page&page',
  'pulls.requestReviewers': 'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
  'pulls.update': 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
  'pulls.updateReviewComment': 'PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}',
  'repos.compareCommitsWithBasehead': 'GET /repos/{owner}/{repo}/compare/{basehead+}',
  'repos.createDispatchEvent': 'POST /repos/{owner}/{repo}/dispatches',
  'repos.get': 'GET /repos/{owner}/{repo}',
  'repos.getBranch': 'GET /repos/{owner}/{repo}/branches/{branch+}',
  'repos.getCollaboratorPermissionLevel': 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
  'repos.getCombinedStatusForRef': 'GET /repos/{owner}/{repo}/commits/{ref+}/status',
  'repos.getContent': 'GET /repos/{owner}/{repo}/contents/{path+}?ref',
  'repos.listCommits': 'GET /repos/{owner}/{repo}/commits?sha&since&until&per_page&page',
  'users.getAuthenticated': 'GET /user',
  'users.getByUsername': 'GET /users/{username}',
} as const

export type RestOperation = keyof typeof OPERATIONS

export type Operation =
  | RestOperation
  /** An operation of another kind of host, which a test substitutes. */
  | `gitlab.${string}`
  | `forgejo.${string}`
  | 'git.advertiseFetch'
  | 'git.advertisePush'
  | 'git.listRefs'
  | 'git.fetch'
  | 'git.push'
