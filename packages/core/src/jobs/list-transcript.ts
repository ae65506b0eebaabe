import {
  type TranscriptMessage,
  type TranscriptPage,
  type TranscriptQuery,
  TranscriptRow,
  type TranscriptRun,
} from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database, PrismaDeps } from '../db/open-database.ts'
import type { RunModel } from '../generated/prisma/models/Run.ts'
import { toTranscriptBlocks } from './to-transcript-blocks.ts'

/** Page size limit in bytes of JSON. The row that exceeds it is the last row on the page. */
const PAGE_BYTES = 1_048_576
/** Maximum length of a prompt on a page, because every page contains all prompts. */
const MAX_PROMPT = 100_000
/** Number of rows per query. Small, because a row can be large. */
const BATCH = 20
/** Limits per page. Each run and message contains a prompt. */
const MAX_RUNS = 20
const MAX_MESSAGES = 100

const Usage = TranscriptRow.shape.usage.catch(null)

/**
 * Returns the conversation between the agent and the model across all runs of a job, oldest first,
 * together with the users' prompts. The runs of a page start with the one that `after` names.
 * @throws AppError `not_found`, including for another project's job
 */
export async function listTranscript(
  { prisma }: PrismaDeps,
  input: { projectId: string; id: string } & TranscriptQuery,
): Promise<TranscriptPage> {
  const job = await prisma.job.findFirst({ where: { id: input.id, projectId: input.projectId }, select: { id: true } })
  if (!job) throw new AppError('not_found', 'Not found.')
  let position = readPosition(input.after)
  const window = await prisma.run.findMany({
    where: { jobId: job.id, seq: { gte: position.run } },
    orderBy: { seq: 'asc' },
    take: MAX_RUNS + 1,
    omit: { prompt: true },
  })
  const next = window[MAX_RUNS]
  const inWindow = next === undefined ? {} : { seq: { lt: next.seq } }
  const rows: TranscriptRow[] = []
  let bytes = 0
  let hasMore = true
  while (hasMore && rows.length < input.limit && bytes < PAGE_BYTES) {
    const take = Math.min(BATCH, input.limit - rows.length)
    const found = await prisma.transcriptRow.findMany({
      where: { run: { jobId: job.id, ...inWindow }, OR: [{ run: { seq: { gt: position.run } } }, toRest(position)] },
      orderBy: [{ run: { seq: 'asc' } }, { seq: 'asc' }],
      include: { run: { select: { seq: true } } },
      take: take + 1,
    })
    hasMore = found.length > take
    for (const [index, stored] of found.slice(0, take).entries()) {
      const row = toRow(stored)
      rows.push(row)
      position = { run: stored.run.seq, row: row.seq }
      bytes += JSON.stringify(row).length
      if (bytes < PAGE_BYTES) continue
      hasMore = index < found.length - 1
      break
    }
  }
  // A page ends with its last row, or with the last run of the window.
  const last = hasMore ? position.run : window.slice(0, MAX_RUNS).at(-1)?.seq
  const runs = window.filter(({ seq }) => last !== undefined && seq <= last)
  if (!hasMore && next !== undefined) {
    hasMore = true
    position = { run: next.seq, row: -1 }
  }
  const prompts = await readPrompts(
    prisma,
    runs.map(({ id }) => id),
  )
  return {
    runs: runs.map((run) => toRun(run, prompts.get(run.id) ?? '')),
    messages: await listMessages(prisma, job.id, runs),
    rows,
    nextAfter: `${position.run}.${position.row}`,
    hasMore,
  }
}

/** Returns the newest messages that the runs received or that no run has received, oldest first. */
async function listMessages(
  prisma: Database['prisma'],
  jobId: string,
  runs: readonly Omit<RunModel, 'prompt'>[],
): Promise<TranscriptMessage[]> {
  const messages = await prisma.jobMessage.findMany({
    where: { jobId, OR: [{ runId: null }, { runId: { in: runs.map(({ id }) => id) } }] },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_MESSAGES,
    omit: { prompt: true },
  })
  const prompts = await readPrompts(
    prisma,
    messages.map(({ id }) => id),
  )
  return messages.reverse().map((message) => ({
    id: message.id,
    prompt: prompts.get(message.id) ?? '',
    createdAt: message.createdAt.toISOString(),
    runId: message.runId,
    takenAt: message.takenAt?.toISOString() ?? null,
    droppedAt: message.droppedAt?.toISOString() ?? null,
  }))
}

const toRun = (run: Omit<RunModel, 'prompt'>, prompt: string): TranscriptRun => ({
  id: run.id,
  seq: run.seq,
  kind: run.kind,
  prompt,
  createdAt: run.createdAt.toISOString(),
  startedAt: run.startedAt?.toISOString() ?? null,
  endedAt: run.endedAt?.toISOString() ?? null,
  transcriptRemovedAt: run.transcriptRemovedAt?.toISOString() ?? null,
})

/** Returns the start of prompts by the id of their run or message. */
async function readPrompts(prisma: Database['prisma'], ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await prisma.$queryRaw<{ id: string; text: string; cut: number }[]>`
    SELECT id, left(prompt, ${MAX_PROMPT}) AS text, greatest(0, length(prompt) - ${MAX_PROMPT}) AS cut
    FROM (
      SELECT id, prompt FROM runs WHERE id = ANY (${ids})
      UNION ALL SELECT id, prompt FROM job_messages WHERE id = ANY (${ids})
    ) AS prompts`
  return new Map(rows.map(({ id, text, cut }) => [id, cut === 0 ? text : `${text}\n[… ${cut} more characters]`]))
}

/** The run and row after which a page starts. */
interface Position {
  readonly run: number
  readonly row: number
}

function readPosition(after: string): Position {
  const [run, row] = after.split('.').map(Number)
  return { run: run ?? 0, row: row ?? -1 }
}

const toRest = ({ run, row }: Position) => ({ run: { seq: run }, seq: { gt: row } })

function toRow(stored: {
  runId: string
  seq: number
  conversation: number
  role: string
  content: unknown
  stopReason: string | null
  usage: unknown
  createdAt: Date
}): TranscriptRow {
  const { runId, seq, conversation, stopReason } = stored
  const role = TranscriptRow.shape.role.parse(stored.role)
  const createdAt = stored.createdAt.toISOString()
  return {
    runId,
    seq,
    conversation,
    role,
    stopReason,
    createdAt,
    content: toTranscriptBlocks(stored),
    usage: Usage.parse(stored.usage),
  }
}
