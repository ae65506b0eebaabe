import { z } from 'zod'

/**
 * The models that a new job of a project can use. Response to GET
 * /dashboard/api/projects/{projectId}/models.
 */
export const ModelChoice = z.object({
  /** Model of a job that does not specify one. */
  default: z.string(),
  /** Models that the service offers, the default first, each with its aliases. */
  models: z.array(z.object({ id: z.string(), aliases: z.array(z.string()) })),
  /** True if a job may name another model. */
  allowsOther: z.boolean(),
})
export type ModelChoice = z.infer<typeof ModelChoice>
