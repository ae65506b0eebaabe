import { z } from 'zod'

const timestamp = z.iso.datetime({ precision: 3 })
/** Characters that were left out at the end of the block's text. */
const cut = z.number().int().nonnegative()

/** One block of a message. What a model sends beyond these kinds is named and not shown. */
export const TranscriptBlock = z.discriminatedUnion('type', [
  /** What begins a conversation: the model, its instructions and the names of its tools. */
  z.object({
    type: z.literal('header'),
    model: z.string(),
    harnessVersion: z.string(),
    system: z.string(),
    tools: z.array(z.string()),
    cut,
  }),
  z.object({ type: z.literal('text'), text: z.string(), cut }),
  /** Without its signature, which is of use to the model API only. */
  z.object({ type: z.literal('thinking'), text: z.string(), cut }),
  /** `input` as the model sent it, with long texts shortened. */
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.json(), cut }),
  z.object({ type: z.literal('tool_result'), toolUseId: z.string(), isError: z.boolean(), text: z.string(), cut }),
  z.object({ type: z.literal('other'), kind: z.string() }),
])
export type TranscriptBlock = z.infer<typeof TranscriptBlock>

/** One message of the conversation with the model, or its header. `seq` counts within the run from 0 without gaps. */
export const TranscriptRow = z.object({
  runId: z.string(),
  seq: z.number().int().nonnegative(),
  /** 0 for the first conversation of the run; one more after each handover. */
  conversation: z.number().int().nonnegative(),
  role: z.enum(['header', 'user', 'assistant']),
  content: z.array(TranscriptBlock),
  stopReason: z.string().nullable(),
  /** Tokens of this call of the model, as reported; null for what it did not write. */
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

/** One prompt on a job: the first, then those follow-ups that began a run of their own. */
export const TranscriptRun = z.object({
  id: z.string(),
  seq: z.number().int().positive(),
  kind: z.enum(['create', 'message', 'retry']),
  prompt: z.string(),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
})
export type TranscriptRun = z.infer<typeof TranscriptRun>

/** What was said to a job after its first prompt. */
export const TranscriptMessage = z.object({
  id: z.string(),
  prompt: z.string(),
  createdAt: timestamp,
  /** The run that was told, and when; null while it waits. */
  runId: z.string().nullable(),
  takenAt: timestamp.nullable(),
  /** The job was cancelled before anybody was told. */
  droppedAt: timestamp.nullable(),
})
export type TranscriptMessage = z.infer<typeof TranscriptMessage>

/** A page of a job's transcript, oldest first: the answer of GET /dashboard/api/projects/{projectId}/jobs/{jobId}/transcript. */
export const TranscriptPage = z.object({
  /** All of them on every page. */
  runs: z.array(TranscriptRun),
  messages: z.array(TranscriptMessage),
  rows: z.array(TranscriptRow),
  /** Goes on after the last row of this page: send it as `after`, also later, to get what has come since. */
  nextAfter: z.string(),
  /** Whether there are more rows already. */
  hasMore: z.boolean(),
})
export type TranscriptPage = z.infer<typeof TranscriptPage>

/** `after`: the `nextAfter` of the page before. `limit`: rows; a page of long rows may have fewer. */
export const TranscriptQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,6}\.-?\d{1,9}$/, 'is not the nextAfter of a page')
    .default('0.-1'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type TranscriptQuery = z.infer<typeof TranscriptQuery>
