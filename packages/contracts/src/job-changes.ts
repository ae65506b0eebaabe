import { z } from 'zod'

/**
 * A file that differs from the base commit. A moved file appears as one removed and one added file.
 */
export const FileChange = z.object({
  /** Repository-relative POSIX path. */
  path: z.string(),
  status: z.enum(['added', 'modified', 'removed']),
  /** Lines; 0 for files that are not text. */
  additions: z.number().int().nonnegative(),
  deletions: z.number().int().nonnegative(),
  /** Unified diff of this file in the format of `git apply`; null when omitted. */
  patch: z.string().nullable(),
  /** Reason why `patch` is null. `too_large`: the patches of the job would exceed 1 MiB. */
  omitted: z.enum(['binary', 'not_utf8', 'too_large']).nullable(),
})
export type FileChange = z.infer<typeof FileChange>

/**
 * The changes of a job against its base commit. They remain available after the branch is deleted.
 */
export const JobChanges = z.object({
  /** Null until the checkout is complete. */
  baseCommit: z.string().nullable(),
  /** The commit that contains the changes; null before it exists. */
  headCommit: z.string().nullable(),
  files: z.array(FileChange),
  /**
   * All patches together, with a comment line for each omitted patch; empty before there are
   * changes.
   */
  patch: z.string(),
  /** True when a patch was omitted because of its size. `files` is always complete. */
  truncated: z.boolean(),
})
export type JobChanges = z.infer<typeof JobChanges>
