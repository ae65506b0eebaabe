import { FileChange } from '@corrigenda/contracts'
import { z } from 'zod'
import { toStorable } from '../base/to-storable.ts'
import type { Db } from '../db/open-database.ts'

/** Stored form of a change. The combined patch is built on read. */
export const StoredFiles = z.array(FileChange)

/**
 * Stores the changes of a job against its base and replaces earlier ones. Call it in the fenced
 * transaction that freezes or ends the run, so that readers never see one without the other.
 * @param input.headCommit null when the work ended before there was a commit
 */
export async function saveChanges(
  tx: Db,
  input: { jobId: string; baseCommit: string; headCommit: string | null; files: readonly FileChange[] },
): Promise<void> {
  const { jobId, baseCommit, headCommit } = input
  const kept = { baseCommit, headCommit, files: toStorable([...input.files]) }
  await tx.jobChanges.upsert({ where: { jobId }, create: { jobId, ...kept }, update: kept })
}
