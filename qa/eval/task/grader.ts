import type { Outcome } from './outcome.ts'

/**
 * A condition for a finished attempt. All conditions of a task must hold. Plain data, so that it is
 * part of a task's hash. Paths are relative to the repository. `in` accepts a path or a glob. Texts
 * are compared exactly, after line endings are converted to LF.
 */
export type Grader =
  /** The run ended with one of these outcomes. */
  | { readonly kind: 'outcome'; readonly is: readonly Outcome[] }
  /** No file differs from the base. */
  | { readonly kind: 'nothing-changed' }
  /** Only matching files were added, changed or deleted. */
  | { readonly kind: 'only-changed'; readonly in: readonly string[] }
  /** The file contains the text, exactly `times` times if given, otherwise at least once. */
  | { readonly kind: 'contains'; readonly path: string; readonly text: string; readonly times?: number }
  /** None of these files contains the text. */
  | { readonly kind: 'lacks'; readonly in: string; readonly text: string }
  /**
   * A pattern matches in the file, or does not with `not`. Uses the flag `m`, and `i` with
   * `ignoreCase`.
   */
  | {
      readonly kind: 'matches'
      readonly path: string
      readonly pattern: string
      readonly ignoreCase?: boolean
      readonly not?: boolean
    }
  /** The text occurs exactly this number of times over all matching files. */
  | { readonly kind: 'count'; readonly in: string; readonly text: string; readonly is: number }
  | { readonly kind: 'exists'; readonly path: string }
  | { readonly kind: 'missing'; readonly path: string }
  /**
   * The page is at the new path, is removed from the old one, and keeps at least `keeps` (0.9) of
   * its lines.
   */
  | { readonly kind: 'moved'; readonly path: string; readonly to: string; readonly keeps?: number }
  /** The file equals the file of the gold solution byte for byte. */
  | { readonly kind: 'same-as-gold'; readonly path: string }
  /** The files equal those of the base byte for byte. */
  | { readonly kind: 'untouched'; readonly in: string }
  /**
   * The file differs from the base, byte for byte, only where the gold's does, with a tolerance of
   * `slack` lines (0; insertions one more).
   */
  | { readonly kind: 'rest-untouched'; readonly path: string; readonly slack?: number }
  /** The fenced code blocks of the file, in order, equal those of the base. */
  | { readonly kind: 'code-untouched'; readonly path: string }
  /**
   * The number of added and removed lines over all files is at most `times` that of the gold, plus
   * `plus` (2).
   */
  | { readonly kind: 'small-diff'; readonly times: number; readonly plus?: number }
  /** The changed files and those of the gold have at least this F1 score. */
  | { readonly kind: 'file-overlap'; readonly min: number }
  /** The navigation file contains the page, below a heading or group of this name if given. */
  | { readonly kind: 'in-navigation'; readonly file: string; readonly page: string; readonly group?: string }
  | { readonly kind: 'not-in-navigation'; readonly file: string; readonly page: string }
  /**
   * The navigation file is still valid, and its pages keep the base's order, apart from added and
   * removed ones.
   */
  | { readonly kind: 'navigation-kept'; readonly file: string }
  /** No page links to this page's path. */
  | { readonly kind: 'no-links-to'; readonly page: string }
  /** At least `times` (1) links from other pages lead to the page. */
  | { readonly kind: 'linked-from'; readonly page: string; readonly from: string; readonly times?: number }
  /** A redirect leads from one path to the other. */
  | { readonly kind: 'redirect'; readonly file: string; readonly from: string; readonly to: string }
  /**
   * Front matter keys have these values. Null: the key must be absent. With `only`, there are no
   * other keys.
   */
  | {
      readonly kind: 'front-matter'
      readonly path: string
      readonly keys: Readonly<Record<string, string | null>>
      readonly only?: boolean
    }
  /** The line ending of every line and the byte order mark of the file. */
  | { readonly kind: 'encoding'; readonly path: string; readonly eol: 'lf' | 'crlf'; readonly bom: boolean }
  /** The product's own checks found no new issue. */
  | { readonly kind: 'no-new-problems' }
  /** The text of the model: the title and body, or the reason. */
  | {
      readonly kind: 'says'
      readonly where: 'title' | 'body' | 'reason'
      readonly pattern: string
      readonly not?: boolean
    }
  /** A one-line title of at most 72 characters without a full stop, and a non-empty body. */
  | { readonly kind: 'good-words' }

export type GraderKind = Grader['kind']
