import { ChangedText, FileChange } from '@corrigenda/contracts'
import { z } from 'zod'
import { toStorable } from '../base/to-storable.ts'
import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Stored form of a change. The combined patch is built on read. */
export const StoredFiles = z.array(FileChange)

export const StoredTexts = z.array(ChangedText)

/** What a run changed, relative to a base commit. */
export interface RunChanges {
  readonly baseCommit: string
  readonly files: readonly FileChange[]
  /** Texts of the modified files, which the review shows around their patches. */
  readonly texts?: readonly ChangedText[]
}

interface JobChange extends RunChanges {
  /** Null when the work ended before a commit was created. */
  readonly headCommit: string | null
}

/**
 * Stores a job's changes relative to its base commit, replacing earlier ones. Call it in the fenced
 * transaction that ends the run, so that readers never see an ended run without its changes.
 */
export async function saveChanges(
  tx: Pick<Db, 'jobChanges'>,
  { jobId, baseCommit, headCommit, files, texts = [] }: JobChange & { jobId: string },
): Promise<void> {
  const data = { baseCommit, headCommit, files: toStorable([...files]), texts: toStorable([...texts]) }
  await tx.jobChanges.upsert({ where: { jobId }, create: { jobId, ...data }, update: data })
}

/** Statement of {@link saveChanges} for the job of `held (job_id)`. */
export function upsertChanges({ baseCommit, headCommit, files, texts = [] }: JobChange): Prisma.Sql {
  return Prisma.sql`INSERT INTO job_changes (job_id, base_commit, head_commit, files, texts, updated_at)
    SELECT job_id, ${baseCommit}, ${headCommit}, ${JSON.stringify(toStorable(files))}::jsonb,
      ${JSON.stringify(toStorable(texts))}::jsonb, clock_timestamp() FROM held
    ON CONFLICT (job_id) DO UPDATE SET base_commit = excluded.base_commit, head_commit = excluded.head_commit,
      files = excluded.files, texts = excluded.texts, updated_at = excluded.updated_at`
}
