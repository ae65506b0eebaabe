/**
 * The operations that the host serves, keyed by Octokit name. Each value is the method and path in
 * GitHub's documentation (https://docs.github.com/rest). `{ref+}` may contain slashes.
 */
export const OPERATIONS = {
  'actions.createWorkflowDispatch': 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
  'actions.getWorkflow': 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}',
  'actions.getWorkflowRun': 'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
  'actions.listWorkflowRuns': 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
  'actions.listWorkflowRunsForRepo': 'GET /repos/{owner}/{repo}/actions/runs',
  'apps.createFromManifest': 'POST /app-manifests/{code}/conversions',
  'apps.createInstallationAccessToken': 'POST /app/installations/{installation_id}/access_tokens',
  'apps.getAuthenticated': 'GET /app',
  'apps.getInstallation': 'GET /app/installations/{installation_id}',
  'apps.getRepoInstallation': 'GET /repos/{owner}/{repo}/installation',
  'apps.listInstallations': 'GET /app/installations',
  'apps.revokeInstallationAccessToken': 'DELETE /installation/token',
  'checks.listForRef': 'GET /repos/{owner}/{repo}/commits/{ref+}/check-runs',
  'git.deleteRef': 'DELETE /repos/{owner}/{repo}/git/refs/{ref+}',
  'git.getRef': 'GET /repos/{owner}/{repo}/git/ref/{ref+}',
  'issues.addLabels': 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
  'issues.createComment': 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'issues.listComments': 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'meta.get': 'GET /meta',
  'pulls.create': 'POST /repos/{owner}/{repo}/pulls',
  'pulls.get': 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  'pulls.list': 'GET /repos/{owner}/{repo}/pulls',
  'pulls.listCommits': 'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits',
  'pulls.listFiles': 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
  'pulls.requestReviewers': 'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
  'pulls.update': 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
  'rateLimit.get': 'GET /rate_limit',
  'repos.compareCommitsWithBasehead': 'GET /repos/{owner}/{repo}/compare/{basehead+}',
  'repos.createDispatchEvent': 'POST /repos/{owner}/{repo}/dispatches',
  'repos.get': 'GET /repos/{owner}/{repo}',
  'repos.getBranch': 'GET /repos/{owner}/{repo}/branches/{branch+}',
  'repos.getCombinedStatusForRef': 'GET /repos/{owner}/{repo}/commits/{ref+}/status',
  'repos.getContent': 'GET /repos/{owner}/{repo}/contents/{path+}',
  'repos.listCommits': 'GET /repos/{owner}/{repo}/commits',
  'users.getAuthenticated': 'GET /user',
  'users.getByUsername': 'GET /users/{username}',
} as const

export type RestOperation = keyof typeof OPERATIONS
