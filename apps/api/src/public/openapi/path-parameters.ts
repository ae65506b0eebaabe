import { z } from 'zod'

const toExample = (prefix: string) => [`${prefix}_01kgs3v2n8q4r6t8w0y2a4c6e8`]

/** Path parameters, as described in the OpenAPI document. */
export const ProjectId = z
  .string()
  .meta({ description: 'The project. A key belongs to exactly one project.', examples: toExample('prj') })
export const JobId = z.string().meta({ description: 'The job.', examples: toExample('job') })
export const WebhookId = z.string().meta({ description: 'The webhook.', examples: toExample('whe') })
export const DeliveryId = z.string().meta({ description: 'The delivery.', examples: toExample('whd') })
export const StatusId = z
  .string()
  .meta({ description: 'The `statusId` returned by the deploy request.', examples: toExample('dep') })

export const ProjectParams = z.object({ projectId: ProjectId })
