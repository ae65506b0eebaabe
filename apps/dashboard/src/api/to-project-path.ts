/** Returns a project's path in the dashboard-only API. */
export function toProjectPath(projectId: string, ...parts: readonly string[]): string {
  return ['/dashboard/api/projects', ...[projectId, ...parts].map(encodeURIComponent)].join('/')
}

/** Returns a path in the public job API, which integrators also use. */
export function toAgentPath(projectId: string, ...parts: readonly string[]): string {
  return ['/v2/agent', ...[projectId, ...parts].map(encodeURIComponent)].join('/')
}
