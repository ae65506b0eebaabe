import { z } from 'zod'

const timestamp = z.iso.datetime({ precision: 3 })
/** Number of characters omitted at the end of the block's text. */
const cut = z.number().int().nonnegative()

/**
 * One block of a message. A block of any other type becomes `other`, which contains only the name
 * of that type.
 */
export const TranscriptBlock = z.discriminatedUnion('type', [
  /** Start of a conversation: the model, its instructions and its tool names. */
  z.object({
    type: z.literal('header'),
    model: z.string(),
    harnessVersion: z.string(),
    system: z.string(),
    tools: z.array(z.string()),
    cut,
  }),
  z.object({ type: z.literal('text'), text: z.string(), cut }),
  /** The signature is omitted, because only the model API uses it. */
  z.object({ type: z.literal('thinking'), text: z.string(), cut }),
  /** `input` as sent by the model, with long strings shortened. */
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.json(), cut }),
  z.object({ type: z.literal('tool_result'), toolUseId: z.string(), isError: z.boolean(), text: z.string(), cut }),
  z.object({ type: z.literal('other'), kind: z.string() }),
])
export type TranscriptBlock = z.infer<typeof TranscriptBlock>

/**
 * One message in the conversation with the model, or the header of the conversation. `seq` starts
 * at 0 in each run and has no gaps.
 */
export const TranscriptRow = z.object({
  runId: z.string(),
  seq: z.number().int().nonnegative(),
  /** 0 for the first conversation of the run; increases by one with each new conversation. */
  conversation: z.number().int().nonnegative(),
  role: z.enum(['header', 'user', 'assistant']),
  content: z.array(TranscriptBlock),
  stopReason: z.string().nullable(),
  /** Token counts reported for this model call; null for messages that the model did not write. */
  usage: z
    .object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cacheReadTokens: z.number(),
      cacheWriteTokens: z.number(),
    })
    .nullable(),
  createdAt: timestamp,
})
export type TranscriptRow = z.infer<typeof TranscriptRow>

/** One prompt of a job: the first prompt, or a follow-up message that started a separate run. */
export const TranscriptRun = z.object({
  id: z.string(),
  seq: z.number().int().positive(),
  kind: z.enum(['create', 'message', 'retry']),
  prompt: z.string(),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  /** When the run's transcript was removed because its retention period had passed. */
  transcriptRemovedAt: timestamp.nullable(),
})
export type TranscriptRun = z.infer<typeof TranscriptRun>

/** A message sent to a job after its first prompt. */
export const TranscriptMessage = z.object({
  id: z.string(),
  prompt: z.string(),
  createdAt: timestamp,
  /** The run that received the message, and when. Null if no run has received it. */
  runId: z.string().nullable(),
  takenAt: timestamp.nullable(),
  /** When the message was dropped because of a cancel request; null if it was not dropped. */
  droppedAt: timestamp.nullable(),
})
export type TranscriptMessage = z.infer<typeof TranscriptMessage>

/**
 * A page of a job's transcript, oldest first. Response to GET
 * /dashboard/api/projects/{projectId}/jobs/{jobId}/transcript.
 */
export const TranscriptPage = z.object({
  /** The runs of this page's rows and runs without rows between them, oldest first; at most 20. */
  runs: z.array(TranscriptRun),
  /**
   * Messages that these runs received and messages that no run has received, oldest first; at most
   * the newest 100.
   */
  messages: z.array(TranscriptMessage),
  rows: z.array(TranscriptRow),
  /**
   * Position after the last row of this page. Send it as `after` for the next page, or later to
   * fetch new rows.
   */
  nextAfter: z.string(),
  /** True if more rows are already available. */
  hasMore: z.boolean(),
})
export type TranscriptPage = z.infer<typeof TranscriptPage>

/**
 * `after`: the `nextAfter` of the previous page. `limit`: maximum number of rows; a page of long
 * rows may contain fewer.
 */
export const TranscriptQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,6}\.-?\d{1,9}$/, 'must be the nextAfter value of an earlier page')
    .default('0.-1'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type TranscriptQuery = z.infer<typeof TranscriptQuery>
