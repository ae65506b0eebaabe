import { z } from 'zod'
import { ReportedUsage } from './stream-usage.ts'

/** One server-sent event. */
export interface StreamEvent {
  readonly event: string | null
  readonly data: string
}

const index = z.number().nullish()
const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '')
const typed = z.looseObject({ type: z.string() })

/** The events of a streamed reply. Fields that compatible servers leave out are optional. */
export const EVENTS = {
  message_start: z.object({ message: z.object({ id: z.string().nullish(), usage: ReportedUsage }) }),
  content_block_start: z.object({ index, content_block: typed }),
  content_block_delta: z.object({ index, delta: typed }),
  content_block_stop: z.object({ index }),
  message_delta: z.object({
    delta: z.object({
      stop_reason: z.string().nullish(),
      stop_details: z.object({ category: z.string().nullish() }).nullish().catch(null),
    }),
    usage: ReportedUsage,
  }),
}

export const DELTAS = {
  text_delta: z.object({ text }),
  thinking_delta: z.object({ thinking: text }),
  input_json_delta: z.object({ partial_json: text }),
  signature_delta: z.object({ signature: text }),
  citations_delta: z.object({ citation: z.unknown() }),
}
