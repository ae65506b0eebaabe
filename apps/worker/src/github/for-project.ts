import type { Credentials } from './credentials.ts'

/** The same parts with the credentials of one project: the first thing done with whatever a worker has claimed. */
export function forProject<T extends { readonly credentials: Credentials }>(deps: T, projectId: string): T {
  const { forProject: bind } = deps.credentials as Credentials & { forProject?: (projectId: string) => Credentials }
  return bind === undefined ? deps : { ...deps, credentials: bind(projectId) }
}
