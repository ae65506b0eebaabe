/** The dashboard's page paths. All of them serve one document with client-side routing. */
export const PAGE_PATHS: readonly string[] = [
  '/',
  '/setup',
  '/sign-in',
  '/sign-in/link',
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
  '/projects/:projectId/audit',
  '/ops',
  '/ops/audit',
]

/**
 * Under these paths, requests for unknown URLs return a page instead of JSON, because users may
 * follow links to these URLs or type them.
 */
export const PAGE_FOLDERS: readonly string[] = ['/projects/*', '/invitations/*']
