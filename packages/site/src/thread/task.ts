import type { Dialect, FileKind } from '../pages/dialect.ts'
import type { PageContent } from '../pages/page-content.ts'
import type { PageLayout } from '../pages/read-layout.ts'
import type { PageScan } from '../pages/scan-page.ts'
import type { LintFinding } from './lint-finding.ts'

/**
 * A potentially long-running task: reading a page with or without the positions of its links and
 * headings, scanning several pages, or checking a page against markdownlint rules. It is plain data
 * that can be sent to a thread.
 */
export type CheckTask =
  | { readonly kind: 'page'; readonly bytes: Uint8Array; readonly dialect: FileKind }
  | { readonly kind: 'layout'; readonly bytes: Uint8Array; readonly dialect: Dialect }
  /** `bytes` contains the pages one after the other, `lengths` their lengths in bytes. */
  | { readonly kind: 'scan'; readonly bytes: Uint8Array; readonly lengths: readonly number[] }
  | { readonly kind: 'markdownlint'; readonly bytes: Uint8Array; readonly rules: Readonly<Record<string, unknown>> }

export type CheckValue<T extends CheckTask> = T extends { kind: 'page' }
  ? PageContent
  : T extends { kind: 'layout' }
    ? { readonly content: PageContent; readonly layout: PageLayout | null }
    : T extends { kind: 'scan' }
      ? readonly PageScan[]
      : readonly LintFinding[]

/**
 * `slow`: exceeded the time limit. `crashed`: the thread ran out of memory or threw an error.
 * `closed`: the runner is closed.
 */
export type CheckAnswer<T extends CheckTask> =
  | { readonly done: true; readonly value: CheckValue<T> }
  | { readonly done: false; readonly reason: 'slow' | 'crashed' | 'closed' }

/** Messages from the thread: the start of a task, then its answer. */
export type ThreadMessage =
  | { readonly id: number; readonly kind: 'began' }
  | { readonly id: number; readonly kind: 'answer'; readonly value: CheckValue<CheckTask> }

/** Runs tasks in this thread or in a different one. */
export interface CheckRunner {
  /**
   * @param lane tasks in different lanes take turns, so that a large repository does not delay the
   *   others
   */
  run<T extends CheckTask>(task: T, lane: object): Promise<CheckAnswer<T>>
}
