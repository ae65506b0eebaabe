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

/** The text and the comments of a follow-up. */
export type FollowUp = Pick<JobMemory, 'text' | 'comments'>

/**
 * Returns the follow-up without what was sent. Text and comments that the user has written or changed
 * since are kept.
 */
export function removeSent({ text, comments }: FollowUp, sent: FollowUp): FollowUp {
  return {
    text: text.startsWith(sent.text) ? text.slice(sent.text.length).trimStart() : text,
    comments: comments.filter((one) => !sent.comments.some(({ id, text }) => id === one.id && text === one.text)),
  }
}

export const EMPTY_MEMORY: JobMemory = { viewed: {}, text: '', comments: [] }
