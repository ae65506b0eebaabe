import type { Grader } from './grader.ts'
import type { Outcome } from './outcome.ts'

/** What a task is about. The families of docs/evaluation.md. */
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

/** Prompts and tools may be tuned on `train`; `held-out` is looked at only to see whether that carried over. */
export type Split = 'train' | 'held-out'

/** A repository that this project writes itself, by name; or one that is fetched when the task runs. */
export type RepositoryRef = { readonly site: string } | { readonly url: string; readonly commit: string }

/** One change of a tree. Texts are UTF-8 with line ends and byte order mark as they are. */
export type Step =
  | { readonly do: 'edit'; readonly path: string; readonly old: string; readonly new: string; readonly times?: number }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'move'; readonly path: string; readonly to: string }
  | { readonly do: 'delete'; readonly path: string }

/** How an attempt says that it has ended. */
export interface Ending {
  readonly outcome: Outcome
  readonly title?: string
  readonly body?: string
  readonly reason?: string
}

/** What a model could have done. */
export interface Solution {
  readonly steps: readonly Step[]
  readonly ending: Ending
}

/** A gold with one plausible mistake in it. */
export interface Spoiled extends Solution {
  /** The mistake, in a few words. */
  readonly how: string
}

/** What may be written; the product's own default where nothing is said. */
export interface TaskPolicy {
  readonly writable?: readonly string[]
  readonly deny?: readonly string[]
}

/** A task is data: its hash tells whether two results are of the same task. */
export interface Task {
  /** `family/name`. */
  readonly id: string
  readonly family: Family
  readonly split: Split
  readonly repository: RepositoryRef
  /** Files put over the repository before the task begins; null takes one away. */
  readonly overlay?: Readonly<Record<string, string | null>>
  readonly prompt: string
  /** For a follow-up: what the operator tells of earlier prompts, as the product does. */
  readonly earlier?: string
  readonly policy?: TaskPolicy
  readonly graders: readonly Grader[]
  readonly gold: Solution
  readonly spoiled: readonly Spoiled[]
  /** A wrong attempt that does the opposite of the right outcome: nothing where something is due, an edit where none is. */
  readonly opposite: Solution
}
