/**
 * The page paths of the dashboard. All serve one document with client-side routing. All other paths
 * respond with JSON.
 */
export const PAGE_PATHS: readonly string[] = [
  '/',
  '/setup',
  '/sign-in',
  '/invitations/:token',
  '/account',
  '/projects',
  '/projects/:projectId',
  '/projects/:projectId/setup-guide',
  '/projects/:projectId/welcome',
  '/projects/:projectId/jobs',
  '/projects/:projectId/jobs/new',
  '/projects/:projectId/jobs/:jobId',
  '/projects/:projectId/keys',
  '/projects/:projectId/members',
  '/projects/:projectId/settings',
  '/ops',
]

/**
 * Below these paths, unknown URLs respond with a page instead of JSON, because users follow links
 * to them or type them.
 */
export const PAGE_FOLDERS: readonly string[] = ['/projects/*', '/invitations/*']
