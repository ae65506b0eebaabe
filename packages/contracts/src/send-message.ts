import { z } from 'zod'
import { CreateAgentJobRequest } from './create-job.ts'

/** Body of POST /v2/agent/{projectId}/job/{id}/message. Unknown fields are ignored. */
export const SendMessageRequest = z.object({ prompt: CreateAgentJobRequest.shape.prompt })
export type SendMessageRequest = z.infer<typeof SendMessageRequest>
