import { z } from 'zod'
import { KeyScope } from './api-key.ts'

/**
 * A project's limit and remaining uses in a sliding window. `resetSeconds` is the time until the
 * oldest counted use leaves the window.
 */
export const Limit = z.object({
  limit: z.number().int().positive(),
  remaining: z.number().int().nonnegative(),
  windowSeconds: z.number().int().positive(),
  resetSeconds: z.number().int().positive(),
})
export type Limit = z.infer<typeof Limit>

const timestamp = z.iso.datetime({ precision: 3 }).nullable()

/** A key's properties and permissions. Response to GET /v1/me. */
export const Me = z.object({
  projectId: z.string(),
  project: z.object({ id: z.string(), name: z.string(), repository: z.url() }),
  key: z.object({
    /** The public part of the key. */
    id: z.string(),
    name: z.string(),
    scopes: z.array(KeyScope),
    /** Null if the key never expires. */
    expiresAt: timestamp,
    /** Updated at most once a minute. */
    lastUsedAt: timestamp,
  }),
  /** New jobs, retries and follow-up messages have separate limits. */
  limits: z.object({ jobs: Limit, retries: Limit, messages: Limit }),
})
export type Me = z.infer<typeof Me>
