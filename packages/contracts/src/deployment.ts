import { z } from 'zod'
import { BranchName } from './branch-name.ts'
import { DeploymentStatus } from './deployment-status.ts'

/**
 * A deployment's trigger: the HTTP API, the merge of a job's pull request, or a user in the
 * dashboard.
 */
export const DeploymentTrigger = z.enum(['api', 'merge', 'dashboard'])
export type DeploymentTrigger = z.infer<typeof DeploymentTrigger>

/**
 * A deployment's source, as the hosted API names it. The set is closed, because clients of the
 * hosted API accept exactly these values.
 */
export const DeploymentSource = z.enum([
  'internal',
  'github-app-installation',
  'api',
  'github',
  'dashboard',
  'gitlab',
  'onboarding',
])
export type DeploymentSource = z.infer<typeof DeploymentSource>

const timestamp = z.iso.datetime({ precision: 3 })

/**
 * The deployed commit, which is the tip of the base branch, or of a preview's branch, when the
 * deployment starts. `filesChanged` is relative to the previously deployed commit of the same kind
 * and branch, and empty if that commit is unknown.
 */
export const DeployedCommit = z.object({
  sha: z.string(),
  ref: z.string(),
  message: z.string(),
  filesChanged: z.object({
    added: z.array(z.string()),
    modified: z.array(z.string()),
    removed: z.array(z.string()),
  }),
})
export type DeployedCommit = z.infer<typeof DeployedCommit>

/**
 * A deployment of the documentation, with the hosted API's field names. `trigger`, `preview`, `url`
 * and `jobId` are additions.
 */
export const Deployment = z.object({
  /** The `statusId` that the trigger returned. */
  _id: z.string(),
  projectId: z.string(),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
  status: DeploymentStatus,
  /** One sentence: the current state, the result, or how to fix the problem. */
  summary: z.string(),
  /** Log lines in order, each prefixed with a timestamp. */
  logs: z.array(z.string()),
  /** Null until the commit has been read from the Git host. */
  commit: DeployedCommit.nullable(),
  source: DeploymentSource.describe("The hosted API's name of the trigger. A merge is `github`."),
  trigger: DeploymentTrigger.describe('What requested the deployment.'),
  subdomain: z.string().describe('Always empty. Present for clients of the hosted API.'),
  screenshot: z.string().describe('Always empty. Present for clients of the hosted API.'),
  screenshotLight: z.string().describe('Always empty. Present for clients of the hosted API.'),
  screenshotDark: z.string().describe('Always empty. Present for clients of the hosted API.'),
  author: z
    .object({ name: z.string(), avatarUrl: z.string(), githubUserId: z.number() })
    .nullable()
    .describe('Always null. Present for clients of the hosted API.'),
  preview: z
    .object({ branch: z.string(), url: z.url() })
    .nullable()
    .describe('The branch and the URL of a preview. Null for a deployment of the base branch.'),
  /** URL of the workflow run; null if the deployment has no workflow run. */
  url: z.url().nullable(),
  /** The job whose change is deployed; null if no job caused the deployment. */
  jobId: z.string().nullable(),
})
export type Deployment = z.infer<typeof Deployment>

/** Response to POST /v1/project/update/{projectId}. */
export const UpdateAccepted = z.object({ statusId: z.string() })
export type UpdateAccepted = z.infer<typeof UpdateAccepted>

/** Body of POST /v1/project/preview/{projectId}. */
export const PreviewRequest = z.object({ branch: BranchName.describe('The branch to publish.') })
export type PreviewRequest = z.infer<typeof PreviewRequest>

/** Response to POST /v1/project/preview/{projectId}. */
export const PreviewAccepted = UpdateAccepted.extend({
  previewUrl: z.url().describe('The URL of the preview, once the deployment has succeeded.'),
})
export type PreviewAccepted = z.infer<typeof PreviewAccepted>

/** Query parameters of GET /v1/project/{projectId}/updates. */
export const ListDeploymentsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  /** `nextCursor` of the previous page. */
  cursor: z.string().max(200).optional(),
})
export type ListDeploymentsQuery = z.infer<typeof ListDeploymentsQuery>

/**
 * A page of deployments, newest first. `nextCursor` is null on the last page. New deployments do
 * not shift the pages.
 */
export const DeploymentPage = z.object({ updates: z.array(Deployment), nextCursor: z.string().nullable() })
export type DeploymentPage = z.infer<typeof DeploymentPage>

/** A workflow, identified by its file name (not its path) or its id, or the pipeline of GitLab. */
const WorkflowName = z
  .string()
  .regex(
    /^(\d{1,18}|\.gitlab-ci\.yml|(?!\.)[A-Za-z0-9._ -]{1,200}\.ya?ml)$/,
    'must be the name of a file in .github/workflows, such as docs.yml, a workflow id, or .gitlab-ci.yml',
  )

const isSmall = (value: unknown): boolean => JSON.stringify(value).length <= 60_000
const tooLarge = { message: 'must have at most 60,000 characters as JSON' }

/**
 * How a project's documentation is deployed. The limits on inputs and payload are GitHub's, minus
 * the fields that Corrigenda adds.
 */
export const DeployTarget = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('hook'),
    /** May contain a secret, so it is never shown. */
    url: z.url(),
  }),
  z.object({
    kind: z.literal('workflow_dispatch'),
    workflow: WorkflowName,
    /** Branch or tag that the workflow runs on. Default: the base branch. */
    ref: BranchName.optional(),
    inputs: z
      .record(z.string().min(1).max(100), z.string().max(10_000))
      .refine((inputs) => Object.keys(inputs).length <= 24, { message: 'must have at most 24 inputs' })
      .refine(isSmall, tooLarge)
      .optional(),
  }),
  z.object({
    kind: z.literal('repository_dispatch'),
    eventType: z.string().min(1).max(100),
    clientPayload: z
      .record(z.string(), z.json())
      .refine((payload) => Object.keys(payload).length <= 9 && !('corrigenda' in payload), {
        message: 'must have at most 9 fields, none of them named corrigenda',
      })
      .refine(isSmall, tooLarge)
      .optional(),
  }),
])
export type DeployTarget = z.infer<typeof DeployTarget>
