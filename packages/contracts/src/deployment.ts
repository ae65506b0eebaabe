import { z } from 'zod'
import { BranchName } from './branch-name.ts'
import { DeploymentStatus } from './deployment-status.ts'

/** Who asked: the HTTP API, the merge of a job's pull request, or a person on the dashboard. */
export const DeploymentSource = z.enum(['api', 'merge', 'dashboard'])
export type DeploymentSource = z.infer<typeof DeploymentSource>

const timestamp = z.iso.datetime({ precision: 3 })

/** What is deployed: the tip of the base branch when the work began. Files are against the commit deployed before; empty when that is unknown. */
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

/** One deployment of the documentation, in the words of the hosted API; `url` and `jobId` are additive. */
export const Deployment = z.object({
  /** The `statusId` that the trigger answered. */
  _id: z.string(),
  projectId: z.string(),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
  status: DeploymentStatus,
  /** One sentence: how it stands, how it ended, or what to mend. */
  summary: z.string(),
  /** Steps in order, each with its time in front. */
  logs: z.array(z.string()),
  /** Null until the Git host has been asked. */
  commit: DeployedCommit.nullable(),
  source: DeploymentSource,
  /** Page of the workflow run; null when there is none. */
  url: z.url().nullable(),
  /** The job whose change is deployed; null when nobody named one. */
  jobId: z.string().nullable(),
})
export type Deployment = z.infer<typeof Deployment>

/** Answer of POST /v1/project/update/{projectId}. */
export const UpdateAccepted = z.object({ statusId: z.string() })
export type UpdateAccepted = z.infer<typeof UpdateAccepted>

/** Query of GET /v1/project/{projectId}/updates. */
export const ListDeploymentsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  /** `nextCursor` of the page before. */
  cursor: z.string().max(200).optional(),
})
export type ListDeploymentsQuery = z.infer<typeof ListDeploymentsQuery>

/** Newest first. `nextCursor` is null on the last page; deployments made meanwhile do not move the pages. */
export const DeploymentPage = z.object({ updates: z.array(Deployment), nextCursor: z.string().nullable() })
export type DeploymentPage = z.infer<typeof DeploymentPage>

/** A workflow by its file name (not its path) or its number, as GitHub's API takes it. */
const WorkflowName = z
  .string()
  .regex(
    /^(\d{1,18}|(?!\.)[A-Za-z0-9._ -]{1,200}\.ya?ml)$/,
    'must be the name of a file in .github/workflows, such as docs.yml, or a number',
  )

const isSmall = (value: unknown): boolean => JSON.stringify(value).length <= 60_000
const tooLarge = { message: 'must have at most 60,000 characters as JSON' }

/** What is told to deploy the documentation. Limits of inputs and payload are GitHub's, short of what is added here. */
export const DeployTarget = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('hook'),
    /** May contain a secret: never shown. */
    url: z.url(),
  }),
  z.object({
    kind: z.literal('workflow_dispatch'),
    workflow: WorkflowName,
    /** Branch or tag whose workflow file runs; the base branch when left out. */
    ref: BranchName.optional(),
    inputs: z
      .record(z.string().min(1).max(100), z.string().max(10_000))
      .refine((inputs) => Object.keys(inputs).length <= 24, { message: 'may have at most 24 inputs' })
      .refine(isSmall, tooLarge)
      .optional(),
  }),
  z.object({
    kind: z.literal('repository_dispatch'),
    eventType: z.string().min(1).max(100),
    clientPayload: z
      .record(z.string(), z.json())
      .refine((payload) => Object.keys(payload).length <= 9 && !('corrigenda' in payload), {
        message: 'may have at most 9 fields, none of them named corrigenda',
      })
      .refine(isSmall, tooLarge)
      .optional(),
  }),
])
export type DeployTarget = z.infer<typeof DeployTarget>
