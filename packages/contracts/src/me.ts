import { z } from 'zod'
import { KeyScope } from './api-key.ts'

/** Uses allowed per project in a sliding window, and what is left. `resetSeconds`: until the oldest counted use leaves the window. */
export const Limit = z.object({
  limit: z.number().int().positive(),
  remaining: z.number().int().nonnegative(),
  windowSeconds: z.number().int().positive(),
  resetSeconds: z.number().int().positive(),
})
export type Limit = z.infer<typeof Limit>

const timestamp = z.iso.datetime({ precision: 3 }).nullable()

/** What a key is and may do: the answer of GET /v1/me. */
export const Me = z.object({
  projectId: z.string(),
  project: z.object({ id: z.string(), name: z.string(), repository: z.url() }),
  key: z.object({
    /** The public part of the key. */
    id: z.string(),
    name: z.string(),
    scopes: z.array(KeyScope),
    /** Null: never. */
    expiresAt: timestamp,
    /** Written once a minute at most. */
    lastUsedAt: timestamp,
  }),
  /** Jobs created, retries and follow-up messages are counted apart. */
  limits: z.object({ jobs: Limit, retries: Limit, messages: Limit }),
})
export type Me = z.infer<typeof Me>
