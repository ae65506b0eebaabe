import {
  type AgentJob,
  type AgentSession,
  FAILURE_CODES,
  findJobEvent,
  type JobEventRecord,
} from '@corrigenda/contracts'

/**
 * The stream of version 1 is a UI message stream of the AI SDK: Server-Sent Events without names,
 * each with one chunk as JSON, and `[DONE]` at the end.
 * @see https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
 */
export const UI_STREAM_HEADERS = { 'x-vercel-ai-ui-message-stream': 'v1' } as const

type Chunk = { readonly type: string } & Readonly<Record<string, unknown>>

const DONE = 'data: [DONE]\n\n'

const toFrames = (chunks: readonly Chunk[]): string =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')

/** The beginning of a stream. */
export const toFirstFrames = (jobId: string): string =>
  toFrames([{ type: 'start', messageId: jobId }, { type: 'start-step' }])

/** One event of the job: the agent's words as text, all other events as data. */
export function toEventFrames(record: JobEventRecord): string {
  const event = findJobEvent(record)
  if (event?.type === 'agent.said') return toFrames(toText(`text-${record.seq}`, event.data.text))
  return toFrames([{ type: 'data-event', id: `event-${record.seq}`, data: record }])
}

/** The end of a stream: the result as text and as data, and an error if the job failed. */
export function toLastFrames(session: AgentSession): string {
  const { haultReason, messageToUser, pullRequestLink } = session
  const hasFailed = haultReason !== 'completed' && haultReason !== 'processing'
  const text = [messageToUser, pullRequestLink && `Pull request: ${pullRequestLink}`].filter(Boolean).join('\n\n')
  return toFrames([
    ...(text === '' ? [] : toText('text-result', text)),
    { type: 'data-session', id: 'session', data: session },
    ...(hasFailed ? [{ type: 'error', errorText: messageToUser }] : []),
    { type: 'finish-step' },
    { type: 'finish' },
  ]).concat(DONE)
}

/** The end of a stream that stops before its job ends. */
export const INTERRUPTED = toFrames([
  {
    type: 'error',
    errorText: 'The stream ended before the job did. Read the job until "haulted" is true.',
  },
  { type: 'finish-step' },
  { type: 'finish' },
]).concat(DONE)

function toText(id: string, text: string): Chunk[] {
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ]
}

/** Converts a job to the form of version 1. */
export function toSession(job: AgentJob): AgentSession {
  const haultReason = toHaultReason(job)
  const isProcessing = haultReason === 'processing'
  return {
    sessionId: job.id,
    subdomain: '',
    branch: job.source.ref ?? job.pullRequest?.branch ?? null,
    haulted: !isProcessing,
    haultReason,
    pullRequestLink: job.prLink ?? job.pullRequest?.url ?? '',
    messageToUser: isProcessing ? '' : (job.failure?.message ?? job.summary ?? ''),
    todos: [],
    title: job.title ?? '',
    createdAt: job.createdAt,
  }
}

function toHaultReason({ outcome, failure }: AgentJob): AgentSession['haultReason'] {
  switch (outcome) {
    case null:
      return 'processing'
    case 'changed':
    case 'no_changes':
    case 'needs_input':
      return 'completed'
    case 'cancelled':
      return 'interrupted'
    case 'failed':
      return isSetupFailure(failure?.code) ? 'github_missconfigured' : 'error'
  }
}

const isSetupFailure = (code: string | undefined): boolean =>
  Object.entries(FAILURE_CODES).some(([known, by]) => known === code && by === 'setup')
