/** The pages of the dashboard: one document, in which the browser finds its way. Everything else is JSON. */
export const PAGE_PATHS: readonly string[] = [
  '/',
  '/setup',
  '/sign-in',
  '/invitations/:token',
  '/account',
  '/projects',
  '/projects/:projectId',
  '/projects/:projectId/welcome',
  '/projects/:projectId/jobs',
  '/projects/:projectId/jobs/new',
  '/projects/:projectId/jobs/:jobId',
  '/projects/:projectId/keys',
  '/projects/:projectId/members',
  '/projects/:projectId/settings',
  '/ops',
]

/** Below these, what is no page is told by a page: people come here by following or typing an address. */
export const PAGE_FOLDERS: readonly string[] = ['/projects/*', '/invitations/*']
