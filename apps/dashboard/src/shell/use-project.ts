import { type DashboardProject, isAtLeast, type Role } from '@corrigenda/contracts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { projectsQuery } from '../api/projects.ts'
import { sessionQuery } from '../api/session.ts'

/** Role names and permissions. */
export const ROLE_FACTS: Readonly<Record<Role, { readonly name: string; readonly may: string }>> = {
  viewer: { name: 'Viewer', may: 'can read jobs and their changes.' },
  member: { name: 'Member', may: 'can read, create and manage jobs, deploy, and manage API keys.' },
  owner: { name: 'Owner', may: 'can do everything a member can, and manage settings, members and the project itself.' },
}

export const ROLE_CARDS = (['viewer', 'member', 'owner'] as const).map((role) => {
  const { name, may } = ROLE_FACTS[role]
  return { value: role, title: name, description: `${may.charAt(0).toUpperCase()}${may.slice(1)}` }
})

const NAME = 'corrigenda-last-project'

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

/**
 * Returns the id of the project last opened in this browser. Returns null if no project has been
 * opened or the browser blocks storage.
 */
export function findLastProject(): string | null {
  try {
    return localStorage.getItem(NAME)
  } catch {
    return null
  }
}

export function rememberProject(projectId: string): void {
  try {
    localStorage.setItem(NAME, projectId)
  } catch {
    // The browser blocks storage, so the user selects the project from the project list.
  }
}
