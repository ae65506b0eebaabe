/** Permission names as shown on GitHub's token and App pages. */
export const WORDS = {
  access: 'Repository access',
  contents: 'Contents: read and write',
  contentsRead: 'Contents: read-only',
  pullRequests: 'Pull requests: read and write',
  pullRequestsRead: 'Pull requests: read-only',
  checks: 'Checks: read-only',
  statuses: 'Commit statuses: read-only',
  actions: 'Actions: read and write',
} as const
