import { z } from 'zod'
import { BranchName } from './branch-name.ts'
import { Role } from './dashboard-session.ts'

/** A project as the person who asks may use it. */
export const DashboardProject = z.object({
  id: z.string(),
  name: z.string(),
  /** Full URL of the repository. */
  repository: z.url(),
  /** Null: the repository's default branch. */
  baseBranch: z.string().nullable(),
  /** Operators are owners everywhere. */
  role: Role,
  activeJobs: z.number().int().nonnegative(),
  createdAt: z.iso.datetime({ precision: 3 }),
})
export type DashboardProject = z.infer<typeof DashboardProject>

/** From the oldest on. */
export const DashboardProjectList = z.object({ projects: z.array(DashboardProject) })
export type DashboardProjectList = z.infer<typeof DashboardProjectList>

export const CreateProjectRequest = z.object({
  name: z.string().trim().min(1).max(100),
  repository: z.string().trim().min(1).max(2000),
  baseBranch: BranchName.nullish(),
})
export type CreateProjectRequest = z.infer<typeof CreateProjectRequest>

/** The project's name, typed once more. */
export const DeleteProjectRequest = z.object({ name: z.string().max(200) })
export type DeleteProjectRequest = z.infer<typeof DeleteProjectRequest>
