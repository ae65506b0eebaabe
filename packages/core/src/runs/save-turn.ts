import type { Usage } from '@corrigenda/contracts'
import type { Database, Db } from '../db/open-database.ts'
import type { InputJsonValue } from '../generated/prisma/internal/prismaNamespace.ts'
import { appendEvent, type Fence, writeFenced } from './fence.ts'

/** A message of the conversation, or its header. `content` is kept as it is. */
export interface NewTranscriptRow {
  readonly seq: number
  readonly conversation: number
  readonly role: 'header' | 'user' | 'assistant'
  readonly content: unknown
  readonly stopReason: string | null
  readonly requestId: string | null
  readonly usage: Readonly<Record<string, number>> | null
}

/** A changed path of the workspace: new bytes, deleted (null), or back as it was at the base commit. */
export type FileState =
  | { readonly path: string; readonly mode: string; readonly content: Uint8Array | null }
  | { readonly path: string; readonly reverted: true }

export interface Turn {
  readonly rows: readonly NewTranscriptRow[]
  readonly files: readonly FileState[]
  readonly usage: Usage
  /** What a reader of the job's events sees of this turn. */
  readonly events: readonly { type: string; data: Record<string, string | number | boolean | null> }[]
}

/**
 * Makes a turn durable: messages, workspace and usage in one transaction, so that a successor finds all of it or nothing.
 * @throws LostLeaseError
 */
export function saveTurn(deps: Pick<Database, 'prisma'>, fence: Fence, turn: Turn): Promise<void> {
  return writeFenced(deps, fence, async (tx) => {
    if (turn.rows.length > 0) {
      await tx.transcriptRow.createMany({ data: turn.rows.map((row) => toRow(fence.runId, row)) })
    }
    for (const file of turn.files) await saveFile(tx, fence.runId, file)
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd, turns } = turn.usage
    await tx.job.update({
      where: { id: fence.jobId },
      data: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd, turns, updatedAt: new Date() },
    })
    for (const event of turn.events) await appendEvent(tx, fence.jobId, event.type, event.data)
  })
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
