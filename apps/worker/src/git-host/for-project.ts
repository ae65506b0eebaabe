import type { Credentials } from './credentials.ts'

/**
 * The same deps with the credentials of one project. Use it first for anything that a worker has
 * claimed.
 */
export function forProject<T extends { readonly credentials: Credentials }>(deps: T, projectId: string): T {
  return { ...deps, credentials: deps.credentials.forProject(projectId) }
}
