import type { Database } from '../db/open-database.ts'
import type { NewTranscriptRow } from './save-turn.ts'

/**
 * State saved by a run's earlier attempts: the conversation and the workspace after the last
 * complete turn.
 */
export interface RunState {
  readonly rows: readonly NewTranscriptRow[]
  readonly files: readonly { path: string; mode: string; content: Uint8Array | null }[]
}

export async function loadRunState({ prisma }: Pick<Database, 'prisma'>, runId: string): Promise<RunState> {
  const [rows, files] = await Promise.all([
    prisma.transcriptRow.findMany({ where: { runId }, orderBy: { seq: 'asc' } }),
    prisma.runFile.findMany({ where: { runId }, orderBy: { path: 'asc' } }),
  ])
  return {
    rows: rows.map(({ seq, conversation, role, content, stopReason, requestId, usage }) => ({
      seq,
      conversation,
      role: role as NewTranscriptRow['role'],
      content,
      stopReason,
      requestId,
      usage: usage as Record<string, number> | null,
    })),
    files: files.map(({ path, mode, content }) => ({ path, mode, content })),
  }
}
