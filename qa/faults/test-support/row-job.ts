import type { AgentJob, CreateAgentJobRequest } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import type { Database } from '@corrigenda/core/db'
import { createJob, getJob } from '@corrigenda/core/jobs'
import { openLog } from '@corrigenda/core/runtime'
import type { FaultScenario } from './fault-row.ts'

export interface RowJob extends AgentJob {
  /** Messages of all conversations, in order. */
  readonly transcript: readonly TranscriptRecord[]
}

export interface TranscriptRecord {
  readonly seq: number
  readonly conversation: number
  readonly role: string
  readonly content: unknown
  readonly stopReason: string | null
  readonly usage: unknown
}

const NO_QUEUE = { wakeWorker: async () => {} }
const QUOTA = { limit: 1000, windowSeconds: 3600 }

/** Creates a job without waking a worker, so that the sweeper finds it. Returns its id. */
export async function createRowJob(
  { prisma, pool }: Pick<Database, 'prisma' | 'pool'>,
  input: { projectId: string; request: CreateAgentJobRequest; row: FaultScenario },
): Promise<string> {
  const { projectId, request } = input
  await ageRun(prisma, input.row)
  const log = openLog({ level: 'silent', secrets: [] })
  const deps = {
    audit: COMMAND_LINE,
    prisma,
    pool,
    log,
    queue: NO_QUEUE,
    defaultModel: 'claude-sonnet-5-5',
    quota: QUOTA,
  }
  const created = await createJob(deps, { projectId, request, idempotencyKey: null })
  const { id }: AgentJob = created.job
  return id
}

/**
 * Makes the row's run start with attempts and waits already used. Uses a trigger, because a worker
 * could claim the run before an update.
 */
async function ageRun(prisma: Database['prisma'], row: FaultScenario): Promise<void> {
  const { attemptsUsed, waitsUsed } = row
  if (attemptsUsed + waitsUsed === 0) return
  const name = `age_${row.id.replaceAll('-', '_')}`
  await prisma.$executeRawUnsafe(`
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.attempt := ${attemptsUsed + waitsUsed};
      NEW.failures := ${attemptsUsed};
      NEW.handovers := ${waitsUsed};
      RETURN NEW;
    END $$`)
  await prisma.$executeRawUnsafe(`
    CREATE TRIGGER ${name} BEFORE INSERT ON runs FOR EACH ROW
    WHEN (NEW.prompt LIKE 'Row ${row.id}.%') EXECUTE FUNCTION ${name}()`)
}

export async function readRowJob(
  database: Pick<Database, 'prisma' | 'pool'>,
  input: { projectId: string; id: string },
): Promise<RowJob> {
  const job = await getJob(database, input)
  const transcript = await database.prisma.transcriptRow.findMany({
    where: { run: { jobId: input.id } },
    orderBy: { seq: 'asc' },
  })
  return { ...job, transcript }
}
