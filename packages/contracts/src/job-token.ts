import { z } from 'zod'

/** A token that reads one job. Safe to give to a browser that may see this job. */
export const JobToken = z.object({
  token: z.string().describe('The token, `cgj_…`. It reads this job and its events, and nothing else.'),
  jobId: z.string(),
  expiresAt: z.iso
    .datetime({ precision: 3 })
    .describe('The token ends at this time, or earlier if its key is revoked or expires.'),
})
export type JobToken = z.infer<typeof JobToken>
