/** Prompts that lead to a pull request in the sample repository, also after earlier jobs. */
export const SUGGESTED_PROMPTS = [
  'Document the new --json flag',
  'Replace "tidewater doctor" with "tidewater check" in {guides,troubleshooting}/**',
  'Move page guides/secrets to guides/managing-secrets',
] as const
