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

/** A task. Plain data, so that it can be hashed. */
export interface Task {
  /** `family/name`. */
  readonly id: string
  readonly family: Family
  readonly split: Split
  readonly repository: RepositoryRef
  /** Files that are written to the repository before the task starts. Null removes a file. */
  readonly overlay?: Readonly<Record<string, string | null>>
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
