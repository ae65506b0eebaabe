import type { DashboardProject, Role } from '@corrigenda/contracts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { projectsQuery } from '../api/projects.ts'
import { sessionQuery } from '../api/session.ts'

/** Id of the project that the page is about. */
export function useProjectId(): string {
  const { projectId } = useParams({ strict: false })
  if (projectId === undefined) throw new Error('This page is not below a project')
  return projectId
}

/** Id of the job that the page is about. */
export function useJobId(): string {
  const { jobId } = useParams({ strict: false })
  if (jobId === undefined) throw new Error('This page is not about a job')
  return jobId
}

/** The project that the page is about; null: there is none with this id for this person. */
export function useProject(): DashboardProject | null {
  const projectId = useProjectId()
  const { data } = useSuspenseQuery(projectsQuery)
  return data.find(({ id }) => id === projectId) ?? null
}

const RANK: Readonly<Record<Role, number>> = { viewer: 0, member: 1, owner: 2 }

/** Whether the person may do what this role may in the page's project. The service decides in any case; this hides what it would refuse. */
export function useHasRole(role: Role): boolean {
  const project = useProject()
  return project !== null && RANK[project.role] >= RANK[role]
}

/** Who is signed in; null: nobody. */
export function useUser() {
  return useQuery(sessionQuery).data?.user ?? null
}
