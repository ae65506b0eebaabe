import { z } from 'zod'

/**
 * A file that differs from the base commit.
 */
export const FileChange = z.object({
  /** Repository-relative POSIX path. */
  path: z.string(),
  /** `renamed`: moved, with or without other changes. */
  status: z.enum(['added', 'modified', 'removed', 'renamed']),
  /** Path in the base commit. Present only if `status` is `renamed`. */
  previousPath: z.string().optional(),
  /** Number of lines; 0 for files that are not text. */
  additions: z.number().int().nonnegative(),
  deletions: z.number().int().nonnegative(),
  /** Unified diff of this file, in the format that `git apply` accepts; null if omitted. */
  patch: z.string().nullable(),
  /** Reason for a null `patch`. `too_large`: the job's patches would exceed 1 MiB. */
  omitted: z.enum(['binary', 'not_utf8', 'too_large']).nullable(),
})
export type FileChange = z.infer<typeof FileChange>

/**
 * A job's changes relative to its base commit. They remain available after the branch is deleted.
 */
export const JobChanges = z.object({
  /** Null until the checkout is complete. */
  baseCommit: z.string().nullable(),
  /** The commit that contains the changes; null until it is created. */
  headCommit: z.string().nullable(),
  files: z.array(FileChange),
  /**
   * All patches combined, with a comment line for each omitted patch. Empty until a file has
   * changed.
   */
  patch: z.string(),
  /** True if a patch was omitted because of its size. `files` is always complete. */
  truncated: z.boolean(),
})
export type JobChanges = z.infer<typeof JobChanges>

/** The text of a modified file after the change. With the file's patch, it gives both versions. */
export const ChangedText = z.object({ path: z.string(), text: z.string() })
export type ChangedText = z.infer<typeof ChangedText>

/** The modified files of a job whose text is stored. Large files are left out. */
export const JobTexts = z.object({ texts: z.array(ChangedText) })
export type JobTexts = z.infer<typeof JobTexts>
