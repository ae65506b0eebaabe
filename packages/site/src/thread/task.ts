import type { Dialect } from '../pages/dialect.ts'
import type { PageContent } from '../pages/page-content.ts'
import type { LintFinding } from './lint-finding.ts'

/** Work that may take long: reading a page, or holding it against rules of markdownlint. Plain data, to be sent to a thread. */
export type CheckTask =
  | { readonly kind: 'page'; readonly bytes: Uint8Array; readonly dialect: Dialect }
  | { readonly kind: 'markdownlint'; readonly bytes: Uint8Array; readonly rules: Readonly<Record<string, unknown>> }

export type CheckValue<T extends CheckTask> = T extends { kind: 'page' } ? PageContent : readonly LintFinding[]

/** `slow`: given up after the time limit. `crashed`: the thread ended, for want of memory or by a fault. `closed`: nobody works any more. */
export type CheckAnswer<T extends CheckTask> =
  | { readonly done: true; readonly value: CheckValue<T> }
  | { readonly done: false; readonly reason: 'slow' | 'crashed' | 'closed' }

/** What the thread posts: that it begins a task, then the answer. */
export type ThreadMessage =
  | { readonly id: number; readonly kind: 'began' }
  | { readonly id: number; readonly kind: 'answer'; readonly value: CheckValue<CheckTask> }

/** Does tasks: here or in a thread. */
export interface CheckRunner {
  /** @param lane tasks of different lanes take turns, so that a large repository does not hold up the others */
  run<T extends CheckTask>(task: T, lane: object): Promise<CheckAnswer<T>>
}
