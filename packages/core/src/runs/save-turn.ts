import { type NewJobEvent, Usage } from '@corrigenda/contracts'
import type { z } from 'zod'
import { type InstanceWarning, recordSpend, type Spend } from '../budgets/record-spend.ts'
import type { Database, Db } from '../db/open-database.ts'
import type { InputJsonValue } from '../generated/prisma/internal/prismaNamespace.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { type Fence, RUNS } from './fence.ts'

/** A message or header in the conversation. `content` is stored unchanged. */
export interface NewTranscriptRow {
  readonly seq: number
  readonly conversation: number
  readonly role: 'header' | 'user' | 'assistant'
  readonly content: unknown
  readonly stopReason: string | null
  readonly requestId: string | null
  readonly usage: Readonly<Record<string, number>> | null
}

/**
 * A changed path in the workspace, with its new content or null if it was deleted. `reverted` means
 * that the file matches the base commit again.
 */
export type FileState =
  | { readonly path: string; readonly mode: string; readonly content: Uint8Array | null }
  | { readonly path: string; readonly reverted: true }

export interface Turn {
  readonly rows: readonly NewTranscriptRow[]
  readonly files: readonly FileState[]
  readonly usage: Usage
  /** Counts against the monthly budgets; omitted if nothing does. */
  readonly spend?: Omit<Spend, 'runId'>
  /** The turn's events for readers of the job's event stream. */
  readonly events: readonly NewJobEvent[]
  /** Ids of the follow-up messages that these rows deliver to the model. */
  readonly delivers?: readonly string[]
}

/** A job's usage before the current run. */
const UsageBefore = Usage.partial()

/**
 * Saves a turn's messages, workspace changes and usage in one transaction, so that a worker that
 * takes over finds either the complete turn or none of it.
 * @returns the warning about the instance's budget, once per month
 * @throws LostLeaseError
 */
export function saveTurn(deps: Pick<Database, 'prisma'>, fence: Fence, turn: Turn): Promise<InstanceWarning | null> {
  return writeFenced(deps, RUNS, fence, async (tx) => {
    if (turn.rows.length > 0) {
      await tx.transcriptRow.createMany({ data: turn.rows.map((row) => toRow(fence.runId, row)) })
    }
    for (const file of turn.files) await saveFile(tx, fence.runId, file)
    const { usageBefore } = await tx.run.findUniqueOrThrow({
      where: { id: fence.runId },
      select: { usageBefore: true },
    })
    const usage = addUsage(UsageBefore.parse(usageBefore), turn.usage)
    await tx.job.update({ where: { id: fence.jobId }, data: { ...usage, updatedAt: new Date() } })
    for (const id of turn.delivers ?? []) {
      // The run's lock prevents other transactions from delivering or dropping the message.
      await tx.jobMessage.update({ where: { id }, data: { runId: fence.runId, takenAt: new Date() } })
      await appendEvent(tx, fence.jobId, { type: 'message.delivered', data: { messageId: id } })
    }
    for (const event of turn.events) await appendEvent(tx, fence.jobId, event)
    return turn.spend === undefined ? null : await recordSpend(tx, { runId: fence.runId, ...turn.spend })
  })
}

function addUsage(before: z.infer<typeof UsageBefore>, { costUsd, ...counts }: Usage): Usage {
  return {
    inputTokens: counts.inputTokens + (before.inputTokens ?? 0),
    outputTokens: counts.outputTokens + (before.outputTokens ?? 0),
    cacheReadTokens: counts.cacheReadTokens + (before.cacheReadTokens ?? 0),
    cacheWriteTokens: counts.cacheWriteTokens + (before.cacheWriteTokens ?? 0),
    turns: counts.turns + (before.turns ?? 0),
    // The total is unknown if either cost is unknown.
    costUsd: costUsd === null || before.costUsd === null ? null : costUsd + (before.costUsd ?? 0),
  }
}

function toRow(runId: string, row: NewTranscriptRow) {
  const { usage, content, ...rest } = row
  return { runId, ...rest, content: content as InputJsonValue, ...(usage === null ? {} : { usage: { ...usage } }) }
}

async function saveFile(tx: Db, runId: string, file: FileState): Promise<void> {
  const key = { runId, path: file.path }
  if ('reverted' in file) {
    await tx.runFile.deleteMany({ where: key })
    return
  }
  const state = { mode: file.mode, content: file.content === null ? null : new Uint8Array(file.content) }
  await tx.runFile.upsert({ where: { runId_path: key }, create: { ...key, ...state }, update: state })
}
