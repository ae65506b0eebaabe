import { z } from 'zod'

/** Name of the BullMQ queue that carries runs. */
export const RUN_QUEUE = 'corrigenda-runs'

/** A queue entry names a run and nothing else: Postgres is the truth. */
export const RunMessage = z.object({ runId: z.string().min(1) })
export type RunMessage = z.infer<typeof RunMessage>
