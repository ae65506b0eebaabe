import { z } from 'zod'

/**
 * The hosted API's job record. All of these fields are always present. Additional fields are
 * allowed, because clients ignore unknown fields.
 */
export const HostedJob = z.looseObject({
  id: z.string().min(1),
  status: z.enum(['active', 'completed', 'archived', 'failed']),
  source: z.looseObject({ repository: z.url({ protocol: /^https?$/ }), ref: z.string().nullable() }),
  model: z.string(),
  prLink: z.url({ protocol: /^https?$/ }).nullable(),
  createdAt: z.iso.datetime({ offset: true }),
  archivedAt: z.iso.datetime({ offset: true }).nullable(),
})
export type HostedJob = z.infer<typeof HostedJob>

export const HostedError = z.looseObject({ error: z.string().min(1) })

export const HostedUpdate = z.looseObject({ statusId: z.string().min(1) })

/** A deployment's status. */
export const HostedUpdateStatus = z.looseObject({
  _id: z.string(),
  projectId: z.string(),
  createdAt: z.iso.datetime({ offset: true }),
  endedAt: z.iso.datetime({ offset: true }).nullable(),
  status: z.enum(['queued', 'in_progress', 'success', 'failure']),
  summary: z.string(),
  logs: z.array(z.unknown()),
})
