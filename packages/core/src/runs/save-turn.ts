import type { NewJobEvent, Usage } from '@corrigenda/contracts'
import {
  COUNTED_COLUMNS,
  COUNTED_JOINS,
  type CountedSpend,
  countSpend,
  type InstanceWarning,
  SPEND_JOINS,
  warnAboutBudgets,
} from '../budgets/count-spend.ts'
import { type ProjectSpend, SPEND_COLUMNS, type SpendRow, toProjectSpend } from '../budgets/read-monthly-spend.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { Fence } from './fence.ts'
import { type RunWrite, writeRun } from './write-run.ts'

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
type FileState =
  | { readonly path: string; readonly mode: string; readonly content: Uint8Array | null }
  | { readonly path: string; readonly reverted: true }

export interface Turn {
  readonly rows: readonly NewTranscriptRow[]
  readonly files: readonly FileState[]
  readonly usage: Usage
  /** The run's cost so far, which counts against the monthly budgets; omitted if it has not changed. */
  readonly spentUsd?: number
  /** The instance's monthly budget in US dollars. Default: null, for no budget. */
  readonly instanceBudgetUsd?: number | null
  /**
   * False if neither the project nor the instance had a budget before the turn. The turn is then
   * saved in one round trip, and a budget that has been set since is warned about with the next
   * turn. Default: true.
   */
  readonly hasBudget?: boolean
  /** The turn's events for readers of the job's event stream. */
  readonly events: readonly NewJobEvent[]
  /** Ids of the follow-up messages that these rows deliver to the model. */
  readonly delivers?: readonly string[]
}

interface SavedTurn {
  /** The monthly spend that includes this turn's, and the budgets. */
  readonly spend: ProjectSpend
  /** The warning about the instance's budget, once per month. */
  readonly warning: InstanceWarning | null
  /** False if the job had no undelivered messages when the turn was saved. */
  readonly hasMessages: boolean
}

/**
 * Saves a turn's messages, workspace changes and usage in one transaction, so that a worker that
 * takes over finds either the complete turn or none of it.
 * @throws LostLeaseError
 */
export async function saveTurn({ prisma }: PrismaDeps, fence: Fence, turn: Turn): Promise<SavedTurn> {
  const { rows, files, usage, delivers = [], events, spentUsd, instanceBudgetUsd = null, hasBudget = true } = turn
  const changed = files.flatMap((file) => ('reverted' in file ? [] : [file]))
  const reverted = files.flatMap((file) => ('reverted' in file ? [file.path] : []))
  const counts = spentUsd !== undefined
  const write: RunWrite = {
    job: setUsage(usage),
    events: [...delivers.map((messageId) => ({ type: 'message.delivered', data: { messageId } }) as const), ...events],
    also: {
      ...(rows.length > 0 && { inserted: insertRows(rows) }),
      ...(changed.length > 0 && { changed: upsertFiles(changed) }),
      ...(reverted.length > 0 && { reverted: deleteFiles(reverted) }),
      ...(delivers.length > 0 && { delivered: deliverMessages(delivers) }),
      ...(counts && countSpend(spentUsd)),
    },
    select: Prisma.sql`${HAS_MESSAGES}, ${SPEND_COLUMNS}${counts ? Prisma.sql`, ${COUNTED_COLUMNS}` : Prisma.empty}`,
    joins: counts ? Prisma.sql`${SPEND_JOINS} ${COUNTED_JOINS}` : SPEND_JOINS,
  }
  const save = async (db: Pick<Db, '$queryRaw'>) => {
    const row = await writeRun<Row>(db, fence, write)
    const { hasMessages, project_total: project, instance_total: instance } = row
    const spent = { ...row, project: project ?? row.project, instance: instance ?? row.instance }
    return { row, saved: { hasMessages, spend: toProjectSpend(spent, instanceBudgetUsd), warning: null } }
  }
  if (!counts || !hasBudget) return (await save(prisma)).saved
  return prisma.$transaction(async (tx) => {
    const { row, saved } = await save(tx)
    return { ...saved, warning: await warnAboutBudgets(tx, row, instanceBudgetUsd) }
  })
}

type Row = Pick<SavedTurn, 'hasMessages'> & SpendRow & CountedSpend

/** Misses a message that arrives while the statement waits for the run's lock. The next turn finds it. */
const HAS_MESSAGES = Prisma.sql`EXISTS (
  SELECT FROM job_messages m WHERE m.job_id = held.job_id AND m.taken_at IS NULL AND m.dropped_at IS NULL
) AS "hasMessages"`

/** Sets the job's usage to the sum of the usage before the current run and during it. */
function setUsage({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd, turns }: Usage): Prisma.Sql {
  const before = (name: keyof Usage) => Prisma.sql`coalesce((held.usage_before ->> ${name}::text)::numeric, 0)`
  return Prisma.sql`input_tokens = ${inputTokens}::int + ${before('inputTokens')},
    output_tokens = ${outputTokens}::int + ${before('outputTokens')},
    cache_read_tokens = ${cacheReadTokens}::int + ${before('cacheReadTokens')},
    cache_write_tokens = ${cacheWriteTokens}::int + ${before('cacheWriteTokens')},
    turns = ${turns}::int + ${before('turns')},
    -- The total is unknown if either cost is unknown.
    cost_usd = CASE WHEN held.usage_before -> 'costUsd' <> 'null' OR NOT held.usage_before ? 'costUsd'
      THEN ${costUsd}::numeric + ${before('costUsd')} END`
}

function insertRows(rows: readonly NewTranscriptRow[]): Prisma.Sql {
  const values = rows.map(
    ({ seq, conversation, role, content, stopReason, requestId, usage }) =>
      Prisma.sql`(${seq}::int, ${conversation}::int, ${role}::text, ${JSON.stringify(content)}::json,
        ${stopReason}::text, ${requestId}::text, ${usage && JSON.stringify(usage)}::jsonb)`,
  )
  const columns = Prisma.sql`seq, conversation, role, content, stop_reason, request_id, usage`
  return Prisma.sql`INSERT INTO transcript_rows (run_id, ${columns})
    SELECT held.id, ${columns} FROM held CROSS JOIN (VALUES ${Prisma.join(values)}) AS r (${columns})`
}

function upsertFiles(files: readonly Exclude<FileState, { reverted: true }>[]): Prisma.Sql {
  const values = files.map(({ path, mode, content }) => Prisma.sql`(${path}::text, ${mode}::text, ${content}::bytea)`)
  return Prisma.sql`INSERT INTO run_files (run_id, path, mode, content)
    SELECT held.id, f.path, f.mode, f.content
    FROM held CROSS JOIN (VALUES ${Prisma.join(values)}) AS f (path, mode, content)
    ON CONFLICT (run_id, path) DO UPDATE SET mode = excluded.mode, content = excluded.content`
}

const deleteFiles = (paths: readonly string[]): Prisma.Sql =>
  Prisma.sql`DELETE FROM run_files USING held WHERE run_id = held.id AND path = ANY (${[...paths]}::text[])`

/** The run's lock prevents other transactions from delivering or dropping the messages. */
const deliverMessages = (ids: readonly string[]): Prisma.Sql =>
  Prisma.sql`UPDATE job_messages SET run_id = held.id, taken_at = clock_timestamp()
    FROM held WHERE job_messages.id = ANY (${[...ids]}::text[])`

/**
 * State saved by a run's earlier attempts: the conversation and the workspace after the last
 * complete turn.
 */
export interface RunState {
  readonly rows: readonly NewTranscriptRow[]
  readonly files: readonly { path: string; mode: string; content: Uint8Array | null }[]
}

export async function loadRunState({ prisma }: PrismaDeps, runId: string): Promise<RunState> {
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
