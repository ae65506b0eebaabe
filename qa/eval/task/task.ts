import type { Evidence } from '@corrigenda/contracts'
import type { Grader } from './grader.ts'
import type { Outcome } from './outcome.ts'

/** The task families described in docs/evaluation.md. */
export const FAMILIES = [
  'rename',
  'move',
  'delete',
  'repair',
  'add-page',
  'closed-world',
  'already-done',
  'unknown-facts',
  'outside-allowlist',
  'injection',
  'translations',
  'fidelity',
  'follow-up',
  'from-source',
] as const

export type Family = (typeof FAMILIES)[number]

/**
 * Prompts and tools may be tuned on `train`. `held-out` is used only to verify that improvements
 * generalize.
 */
export type Split = 'train' | 'held-out'

/** One of this project's sites, by name, or a repository that is fetched when the task runs. */
export type RepositoryRef = { readonly site: string } | { readonly url: string; readonly commit: string }

/** One change to a tree. Text is UTF-8, and its line endings and byte order mark are preserved. */
export type Step =
  | { readonly do: 'edit'; readonly path: string; readonly old: string; readonly new: string; readonly times?: number }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'move'; readonly path: string; readonly to: string }
  | { readonly do: 'delete'; readonly path: string }

/** The values passed to `finish` at the end of an attempt. */
export interface Ending {
  readonly outcome: Outcome
  readonly title?: string
  readonly body?: string
  readonly reason?: string
  readonly evidence?: readonly Evidence[]
}

/** A solution that a model could produce. */
export interface Solution {
  readonly steps: readonly Step[]
  readonly ending: Ending
}

/** A gold solution with one plausible mistake. */
export interface Spoiled extends Solution {
  /** The mistake, in a few words. */
  readonly how: string
}

/** The write policy. Absent values use the product's defaults. */
export interface TaskPolicy {
  readonly writable?: readonly string[]
  readonly deny?: readonly string[]
}

/** A commit of a source. Null removes a file. */
export interface SourceCommit {
  readonly message: string
  /** Age in days when the task starts. Commits of the last 14 days are recent. */
  readonly daysAgo: number
  readonly files: Readonly<Record<string, string | null>>
}

/** A repository that the model may read, besides the documentation. */
export interface TaskSource {
  readonly name: string
  readonly visibility: 'private' | 'public'
  /** Paths that the model may read. Empty or absent: all paths. */
  readonly paths?: readonly string[]
  /** Oldest first. */
  readonly commits: readonly SourceCommit[]
}

/** A task. Plain data, so that it can be hashed. */
export interface Task {
  /** `family/name`. */
  readonly id: string
  readonly family: Family
  readonly split: Split
  readonly repository: RepositoryRef
  /** Files that are written to the repository before the task starts. Null removes a file. */
  readonly overlay?: Readonly<Record<string, string | null>>
  /**
   * The sources of the project. In the prompt, `{{name}}` stands for the `owner/name` of a source,
   * `{{name.url}}` for its URL, and `{{name.0}}` for the ID of its first commit.
   */
  readonly sources?: readonly TaskSource[]
  readonly prompt: string
  /** For a follow-up, the text about earlier prompts that the product adds to the instructions. */
  readonly earlier?: string
  readonly policy?: TaskPolicy
  readonly graders: readonly Grader[]
  readonly gold: Solution
  readonly spoiled: readonly Spoiled[]
  /**
   * A wrong solution with the opposite outcome. Omits a required edit or makes an unnecessary one.
   */
  readonly opposite: Solution
}
