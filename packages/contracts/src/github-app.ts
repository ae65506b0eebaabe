import { z } from 'zod'

/** GitHub's limit for the body of a pull request or of a comment, in characters. */
export const GITHUB_MAX_BODY = 65_536

/**
 * Permissions of the access token for each purpose, and thereby those of the App. Least privilege: no
 * access to workflows or secrets, and access to actions only to start a deployment. `pull_requests`
 * covers a pull request's labels.
 */
export const GITHUB_PERMISSIONS = {
  read: { contents: 'read', metadata: 'read' },
  read_pulls: { contents: 'read', pull_requests: 'read', metadata: 'read' },
  publish: { contents: 'write', pull_requests: 'write', metadata: 'read' },
  watch: { pull_requests: 'read', checks: 'read', statuses: 'read', metadata: 'read' },
  deploy: { actions: 'write', contents: 'write', metadata: 'read' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, 'read' | 'write'>>>>

/** This instance's GitHub App, without its keys, which are never returned. */
export const GitHubApp = z.object({
  slug: z.string(),
  name: z.string(),
  /** The App's page on the Git host. */
  htmlUrl: z.url(),
  /** Page for installing the App on repositories. */
  installUrl: z.url(),
})
export type GitHubApp = z.infer<typeof GitHubApp>

/** Response to GET /dashboard/api/github-app; `app` is null if no App exists. */
export const GitHubAppState = z.object({ app: GitHubApp.nullable() })
export type GitHubAppState = z.infer<typeof GitHubAppState>

/** Body of POST /dashboard/api/github-app/manifest. */
export const GitHubAppManifestRequest = z.strictObject({
  /** Organization that will own the App. Default: the account that is signed in on the Git host. */
  organization: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/, 'must be the login of an organization')
    .optional(),
})
export type GitHubAppManifestRequest = z.infer<typeof GitHubAppManifestRequest>

/**
 * Response to POST /dashboard/api/github-app/manifest. The browser navigates to `start`, a page of
 * this service that posts `manifest` to `action`. The dashboard's own pages cannot post to another
 * host.
 */
export const GitHubAppManifest = z.object({
  /** URL that the manifest is posted to, including `state`. */
  action: z.url(),
  /** The manifest, as JSON. */
  manifest: z.string(),
  /** Can be used once, within an hour, and only by the user who requested it. */
  state: z.string(),
  /** Path of the page that posts the manifest. */
  start: z.string(),
})
export type GitHubAppManifest = z.infer<typeof GitHubAppManifest>
