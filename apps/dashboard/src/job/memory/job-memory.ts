import { z } from 'zod'

export const LineComment = z.object({
  id: z.string(),
  path: z.string(),
  side: z.enum(['old', 'new']),
  from: z.number(),
  to: z.number(),
  /** The lines' text when the comment was started. */
  quote: z.array(z.string()),
  text: z.string(),
  /** True while the comment is being written. */
  isOpen: z.boolean(),
})
export type LineComment = z.infer<typeof LineComment>

/** What the browser remembers about a job. */
export const JobMemory = z.object({
  /** The files that the user has viewed, with a hash of their change. */
  viewed: z.record(z.string(), z.string()).default({}),
  /** The follow-up that has not been sent. */
  text: z.string().default(''),
  comments: z.array(LineComment).default([]),
})
export type JobMemory = z.infer<typeof JobMemory>

export const EMPTY_MEMORY: JobMemory = { viewed: {}, text: '', comments: [] }
