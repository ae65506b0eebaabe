import { z } from 'zod'

/** A file that differs from the base commit. A moved file is one that was removed and one that was added. */
export const FileChange = z.object({
  /** Repository-relative POSIX path. */
  path: z.string(),
  status: z.enum(['added', 'modified', 'removed']),
  /** Lines; 0 for what is not text. */
  additions: z.number().int().nonnegative(),
  deletions: z.number().int().nonnegative(),
  /** Unified diff of this file as `git apply` takes it; null when it is left out. */
  patch: z.string().nullable(),
  /** Why `patch` is null. `too_large`: the patches of the job would have more than 1 MiB. */
  omitted: z.enum(['binary', 'not_utf8', 'too_large']).nullable(),
})
export type FileChange = z.infer<typeof FileChange>

/** What a job changed against its base commit, kept when its branch is gone. */
export const JobChanges = z.object({
  /** Null until the checkout stands. */
  baseCommit: z.string().nullable(),
  /** The commit that holds the changes; null before there is one. */
  headCommit: z.string().nullable(),
  files: z.array(FileChange),
  /** All patches together, with a comment line in place of each that is left out; empty before there are changes. */
  patch: z.string(),
  /** Whether a patch was left out for its size. `files` is always complete. */
  truncated: z.boolean(),
})
export type JobChanges = z.infer<typeof JobChanges>
