import { FileChange } from '@corrigenda/contracts'
import { z } from 'zod'
import { toStorable } from '../base/to-storable.ts'
import type { Db } from '../db/open-database.ts'

/** Stored form of a change. The combined patch is built on read. */
export const StoredFiles = z.array(FileChange)

/**
 * Stores a job's changes relative to its base commit, replacing earlier ones. Call it in the fenced
 * transaction that freezes or ends the run, so that readers never see a frozen or ended run without
 * its changes.
 * @param input.headCommit null when the work ended before a commit was created
 */
export async function saveChanges(
  tx: Db,
  input: { jobId: string; baseCommit: string; headCommit: string | null; files: readonly FileChange[] },
): Promise<void> {
  const { jobId, baseCommit, headCommit } = input
  const kept = { baseCommit, headCommit, files: toStorable([...input.files]) }
  await tx.jobChanges.upsert({ where: { jobId }, create: { jobId, ...kept }, update: kept })
}
