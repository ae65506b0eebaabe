import { type DashboardProject, isAtLeast, type Role } from '@corrigenda/contracts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { projectsQuery } from '../api/projects.ts'
import { sessionQuery } from '../api/session.ts'

/** Returns the id of the page's project. */
export function useProjectId(): string {
  const { projectId } = useParams({ strict: false })
  if (projectId === undefined) throw new Error('the URL of this page does not contain a project id')
  return projectId
}

/** Returns the id of the page's job. */
export function useJobId(): string {
  const { jobId } = useParams({ strict: false })
  if (jobId === undefined) throw new Error('the URL of this page does not contain a job id')
  return jobId
}

/** Returns the page's project, or null if the user has no project with this id. */
export function useProject(): DashboardProject | null {
  const projectId = useProjectId()
  const { data } = useSuspenseQuery(projectsQuery)
  return data.find(({ id }) => id === projectId) ?? null
}

/**
 * Returns true if the user has at least this role in the page's project. The service enforces the
 * role. This check only hides unavailable actions.
 */
export function useHasRole(role: Role): boolean {
  const project = useProject()
  return project !== null && isAtLeast(project.role, role)
}

/** Returns the signed-in user, or null. */
export function useUser() {
  return useQuery(sessionQuery).data?.user ?? null
}
