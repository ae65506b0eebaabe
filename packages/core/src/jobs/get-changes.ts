import type { FileChange, JobChanges, JobTexts } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import { StoredFiles, StoredTexts } from '../job-record/save-changes.ts'

/**
 * Returns a job's changes relative to its base commit. The result is empty and has no head commit
 * until a change is frozen or the job fails with unpublished changes.
 * @throws AppError `not_found`, including for another project's job
 */
export async function getChanges(
  { prisma }: PrismaDeps,
  input: { projectId: string; id: string },
): Promise<JobChanges> {
  const where = { id: input.id, projectId: input.projectId }
  const job = await prisma.job.findFirst({ where, select: { baseCommit: true, changes: { omit: { texts: true } } } })
  if (!job) throw new AppError('not_found', 'Not found.')
  if (!job.changes) return { baseCommit: job.baseCommit, headCommit: null, files: [], patch: '', truncated: false }
  const { baseCommit, headCommit } = job.changes
  const files = StoredFiles.parse(job.changes.files)
  const truncated = files.some((file) => file.omitted === 'too_large')
  return { baseCommit, headCommit, files, patch: files.map(toPatch).join(''), truncated }
}

/**
 * Returns the texts of a job's modified files after the change, if they are stored.
 * @throws AppError `not_found`, including for another project's job
 */
export async function getTexts({ prisma }: PrismaDeps, input: { projectId: string; id: string }): Promise<JobTexts> {
  const where = { id: input.id, projectId: input.projectId }
  const job = await prisma.job.findFirst({ where, select: { changes: { select: { texts: true } } } })
  if (!job) throw new AppError('not_found', 'Not found.')
  return { texts: StoredTexts.parse(job.changes?.texts ?? []) }
}

const REASONS = { binary: 'binary', not_utf8: 'not UTF-8', too_large: 'too large' } as const

/**
 * Returns a file's patch, or a comment if the patch was omitted. `git apply` and `patch` treat
 * lines outside of hunks as comments.
 */
function toPatch({ path, status, patch, omitted }: FileChange): string {
  return patch ?? `# Left out: ${JSON.stringify(path)} ${status} (${REASONS[omitted ?? 'too_large']})\n`
}
