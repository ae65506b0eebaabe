import { z } from 'zod'

/** The GitHub App of this instance, without its keys, which are never shown. */
export const GitHubApp = z.object({
  slug: z.string(),
  name: z.string(),
  /** Page of the App at the Git host. */
  htmlUrl: z.url(),
  /** Page for installing the App on repositories. */
  installUrl: z.url(),
})
export type GitHubApp = z.infer<typeof GitHubApp>

/** Response of GET /dashboard/api/github-app; `app` is null if no App exists. */
export const GitHubAppState = z.object({ app: GitHubApp.nullable() })
export type GitHubAppState = z.infer<typeof GitHubAppState>

/** Body of POST /dashboard/api/github-app/manifest. */
export const GitHubAppManifestRequest = z.strictObject({
  /** Organization that will own the App; default: the account that is signed in at the Git host. */
  organization: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/, 'must be the login of an organization')
    .optional(),
})
export type GitHubAppManifestRequest = z.infer<typeof GitHubAppManifestRequest>

/**
 * Response of POST /dashboard/api/github-app/manifest. The browser navigates to `start`, a page of
 * this service that posts `manifest` to `action`. The dashboard page itself must not post to
 * another host.
 */
export const GitHubAppManifest = z.object({
  /** Target URL of the post, including `state`. */
  action: z.url(),
  /** The manifest as JSON text. */
  manifest: z.string(),
  /** Valid for one use and one hour; bound to the session. */
  state: z.string(),
  /** Path of the page that sends the post. */
  start: z.string(),
})
export type GitHubAppManifest = z.infer<typeof GitHubAppManifest>
