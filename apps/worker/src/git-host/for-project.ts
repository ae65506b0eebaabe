import type { Credentials } from './credentials.ts'

/**
 * Returns the dependencies with the project's credentials. Call this before working on anything
 * that a worker has claimed.
 */
export function forProject<T extends { readonly credentials: Credentials }>(deps: T, projectId: string): T {
  return { ...deps, credentials: deps.credentials.forProject(projectId) }
}
