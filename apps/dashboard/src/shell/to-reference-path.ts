/** Returns the path of the API reference, filled in with the project. */
export const toReferencePath = (projectId: string | null): string =>
  projectId === null ? '/reference' : `/reference?project=${encodeURIComponent(projectId)}`
