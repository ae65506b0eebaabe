import { z } from 'zod'
import { BranchName } from './branch-name.ts'
import { Role } from './dashboard-session.ts'

/** A project with the role of the requesting user. */
export const DashboardProject = z.object({
  id: z.string(),
  name: z.string(),
  /** Full URL of the repository. */
  repository: z.url(),
  /** Null for the default branch of the repository. */
  baseBranch: z.string().nullable(),
  /** Admins are owners of all projects. */
  role: Role,
  activeJobs: z.number().int().nonnegative(),
  createdAt: z.iso.datetime({ precision: 3 }),
})
export type DashboardProject = z.infer<typeof DashboardProject>

/** Projects, oldest first. */
export const DashboardProjectList = z.object({ projects: z.array(DashboardProject) })
export type DashboardProjectList = z.infer<typeof DashboardProjectList>

export const CreateProjectRequest = z.object({
  name: z.string().trim().min(1).max(100),
  repository: z.string().trim().min(1).max(2000),
  baseBranch: BranchName.nullish(),
})
export type CreateProjectRequest = z.infer<typeof CreateProjectRequest>

/** The name of the project, as confirmation. */
export const DeleteProjectRequest = z.object({ name: z.string().max(200) })
export type DeleteProjectRequest = z.infer<typeof DeleteProjectRequest>
