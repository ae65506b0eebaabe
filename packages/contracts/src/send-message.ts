import { z } from 'zod'
import { JobRequest } from './create-job.ts'

/** Body of POST /v2/agent/{projectId}/job/{id}/message. Unknown fields are ignored. */
export const SendMessageRequest = z.object({ prompt: JobRequest.shape.prompt })
export type SendMessageRequest = z.infer<typeof SendMessageRequest>
