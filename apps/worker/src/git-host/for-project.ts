import type { Credentials } from './credentials.ts'

/**
 * Returns the same deps with the credentials of one project. Apply it first to anything that a
 * worker has claimed.
 */
export function forProject<T extends { readonly credentials: Credentials }>(deps: T, projectId: string): T {
  return { ...deps, credentials: deps.credentials.forProject(projectId) }
}
