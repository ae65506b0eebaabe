/** Path of something below a project that only the dashboard has. */
export function toProjectPath(projectId: string, ...parts: readonly string[]): string {
  return ['/dashboard/api/projects', ...[projectId, ...parts].map(encodeURIComponent)].join('/')
}

/** Path of the public API of jobs: the same that integrators use. */
export function toAgentPath(projectId: string, ...parts: readonly string[]): string {
  return ['/v2/agent', ...[projectId, ...parts].map(encodeURIComponent)].join('/')
}
