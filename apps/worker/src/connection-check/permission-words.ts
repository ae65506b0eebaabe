/** Permission names as shown on GitHub's token and App pages. */
export const WORDS = {
  access: 'Repository access',
  contents: 'Contents: read and write',
  pullRequests: 'Pull requests: read and write',
  checks: 'Checks: read-only',
  statuses: 'Commit statuses: read-only',
  actions: 'Actions: read and write',
} as const
