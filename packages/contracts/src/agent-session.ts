import { z } from 'zod'
import { BranchName } from './branch-name.ts'
import { JobRequest } from './create-job.ts'
import { isStorable, storable } from './text-rules.ts'

/**
 * Body of POST /v1/agent/{projectId}/job, the deprecated version 1 of the hosted API. Unknown fields
 * are ignored.
 */
export const CreateAgentSessionRequest = z.object({
  messages: z
    .array(
      z.object({
        role: z.enum(['system', 'user', 'assistant']),
        content: z.string().refine(isStorable, storable),
      }),
    )
    .min(1)
    .max(1000)
    .describe('The prompt, as one or more messages. The agent receives several messages with their roles.'),
  branch: BranchName.optional().describe(
    'Name of the new branch. A name that the project does not allow is used after its branch prefix, and a name that an earlier job used is made unique. The header `X-Branch-Name` contains the resulting name.',
  ),
  asDraft: z
    .union([z.boolean(), z.enum(['true', 'false'])])
    .optional()
    .describe('Open the pull request as a draft.'),
  model: JobRequest.shape.model,
  questions: JobRequest.shape.questions,
})
export type CreateAgentSessionRequest = z.infer<typeof CreateAgentSessionRequest>

/** A job in the form of version 1 of the hosted API, with its spelling of the fields. */
export const AgentSession = z.object({
  sessionId: z.string().describe('The id of the job.'),
  subdomain: z.string().describe('Always empty. Present for clients of the hosted API.'),
  branch: z.string().nullable().describe("The agent's branch. Null as long as it does not exist."),
  haulted: z.boolean().describe('True once the job has ended.'),
  haultReason: z
    .enum(['completed', 'github_missconfigured', 'error', 'processing', 'interrupted'])
    .describe(
      '`processing` until the job has ended. `interrupted`: the job was cancelled. `github_missconfigured`: the repository or its credential does not allow the change. `error`: the job failed for another reason.',
    ),
  pullRequestLink: z.string().describe('URL of the pull request. Empty if the job has no pull request.'),
  messageToUser: z
    .string()
    .describe("The agent's summary or question, or the reason for the failure. Empty until the job has ended."),
  todos: z
    .array(
      z.object({
        content: z.string(),
        status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
        priority: z.enum(['high', 'medium', 'low']),
        id: z.string(),
      }),
    )
    .describe('Always empty. Present for clients of the hosted API.'),
  title: z.string().describe('Title of the pull request. Empty until the agent has written it.'),
  createdAt: z.iso.datetime({ precision: 3 }),
})
export type AgentSession = z.infer<typeof AgentSession>

/** Query parameters of GET /v1/agent/{projectId}/jobs. */
export const ListAgentSessionsQuery = z.object({
  skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
  take: z.coerce.number().int().min(1).max(100).default(12),
})
export type ListAgentSessionsQuery = z.infer<typeof ListAgentSessionsQuery>

/** Sessions, newest first. */
export const AgentSessionList = z.object({ allSessions: z.array(AgentSession) })
export type AgentSessionList = z.infer<typeof AgentSessionList>
