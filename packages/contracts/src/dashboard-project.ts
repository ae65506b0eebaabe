import { z } from 'zod'
import { BranchName } from './branch-name.ts'
import { Role } from './dashboard-session.ts'

/** A project, with the requesting user's role. */
export const DashboardProject = z.object({
  id: z.string(),
  name: z.string(),
  /** Full repository URL. */
  repository: z.url(),
  /** Null for the repository's default branch. */
  baseBranch: z.string().nullable(),
  /** Values of job options that a request omits. */
  jobDefaults: z.object({ draft: z.boolean(), dedupe: z.boolean() }),
  /** Names of the sources that jobs may name, without the documentation repository. */
  sources: z.array(z.string()),
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

/** Request body for deleting a project. The project name is the confirmation. */
export const DeleteProjectRequest = z.object({ name: z.string().max(200) })
export type DeleteProjectRequest = z.infer<typeof DeleteProjectRequest>
