import { z } from 'zod'

/** The GitHub App of this instance. Its keys are never shown. */
export const GitHubApp = z.object({
  slug: z.string(),
  name: z.string(),
  /** Its page at the Git host. */
  htmlUrl: z.url(),
  /** Where it is installed on repositories. */
  installUrl: z.url(),
})
export type GitHubApp = z.infer<typeof GitHubApp>

/** Answer of GET /dashboard/api/github-app; null: there is none. */
export const GitHubAppState = z.object({ app: GitHubApp.nullable() })
export type GitHubAppState = z.infer<typeof GitHubAppState>

/** Body of POST /dashboard/api/github-app/manifest. */
export const GitHubAppManifestRequest = z.strictObject({
  /** The App is made in this organization; left out: in the account of whoever is signed in at the Git host. */
  organization: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/, 'must be the login of an organization')
    .optional(),
})
export type GitHubAppManifestRequest = z.infer<typeof GitHubAppManifestRequest>

/**
 * Answer of POST /dashboard/api/github-app/manifest: navigate to `start`, a page of ours that posts `manifest` to `action`. The page of the
 * dashboard itself must not post to another host.
 */
export const GitHubAppManifest = z.object({
  /** Where the manifest is posted, `state` included. */
  action: z.url(),
  /** The manifest as JSON text. */
  manifest: z.string(),
  /** Single use, bound to the session, good for an hour. */
  state: z.string(),
  /** Path of the page that does the post. */
  start: z.string(),
})
export type GitHubAppManifest = z.infer<typeof GitHubAppManifest>
