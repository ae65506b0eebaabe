import { z } from 'zod'

/** One step of a job. `seq` counts from 1 without gaps; `type` is one of the documented event names. */
export const JobEvent = z.object({
  seq: z.number().int().positive(),
  type: z.string(),
  createdAt: z.iso.datetime({ precision: 3 }),
  data: z.record(z.string(), z.unknown()),
})
export type JobEvent = z.infer<typeof JobEvent>

export const JobEventPage = z.object({ events: z.array(JobEvent) })
export type JobEventPage = z.infer<typeof JobEventPage>
