import type { Outcome } from './outcome.ts'

/**
 * One condition that a finished attempt must meet; all of a task's must hold. Data, so that they are part of a task's hash.
 * Paths are relative to the repository; `in` takes a path or a glob. Texts are compared exactly, with line ends read as LF.
 */
export type Grader =
  /** The run ended in one of these ways. */
  | { readonly kind: 'outcome'; readonly is: readonly Outcome[] }
  /** No file differs from the base. */
  | { readonly kind: 'nothing-changed' }
  /** Only files that match were added, changed or deleted. */
  | { readonly kind: 'only-changed'; readonly in: readonly string[] }
  /** The text stands in the file, `times` times when given, else at least once. */
  | { readonly kind: 'contains'; readonly path: string; readonly text: string; readonly times?: number }
  /** None of these files has the text. */
  | { readonly kind: 'lacks'; readonly in: string; readonly text: string }
  /** A pattern matches in the file, or (`not`) does not. Flags `m` and, when asked, `i`. */
  | {
      readonly kind: 'matches'
      readonly path: string
      readonly pattern: string
      readonly ignoreCase?: boolean
      readonly not?: boolean
    }
  /** The text occurs exactly so often over all files that match. */
  | { readonly kind: 'count'; readonly in: string; readonly text: string; readonly is: number }
  | { readonly kind: 'exists'; readonly path: string }
  | { readonly kind: 'missing'; readonly path: string }
  /** The page is at the new path, gone from the old one, and keeps at least `keeps` (0.9) of its lines. */
  | { readonly kind: 'moved'; readonly path: string; readonly to: string; readonly keeps?: number }
  /** Byte for byte what the gold has. */
  | { readonly kind: 'same-as-gold'; readonly path: string }
  /** Byte for byte what the base has. */
  | { readonly kind: 'untouched'; readonly in: string }
  /** The file differs from the base, byte for byte, only where the gold's does, give or take `slack` lines (0; insertions one more). */
  | { readonly kind: 'rest-untouched'; readonly path: string; readonly slack?: number }
  /** Fenced code blocks of the file, in order, are as in the base. */
  | { readonly kind: 'code-untouched'; readonly path: string }
  /** Added plus removed lines over all files are at most `times` those of the gold, plus `plus` (2). */
  | { readonly kind: 'small-diff'; readonly times: number; readonly plus?: number }
  /** The changed files and those of the gold have an F1 of at least this. */
  | { readonly kind: 'file-overlap'; readonly min: number }
  /** The navigation file names the page; below a heading or group of this name when given. */
  | { readonly kind: 'in-navigation'; readonly file: string; readonly page: string; readonly group?: string }
  | { readonly kind: 'not-in-navigation'; readonly file: string; readonly page: string }
  /** The navigation file still parses and its pages stand in the base's order, apart from those that came or went. */
  | { readonly kind: 'navigation-kept'; readonly file: string }
  /** No link of any page leads to this page's path. */
  | { readonly kind: 'no-links-to'; readonly page: string }
  /** At least `times` (1) links of other pages lead to it. */
  | { readonly kind: 'linked-from'; readonly page: string; readonly from: string; readonly times?: number }
  /** A redirect leads from one address to the other. */
  | { readonly kind: 'redirect'; readonly file: string; readonly from: string; readonly to: string }
  /** Front matter keys have these texts; null: the key must not be there. With `only`, no other keys. */
  | {
      readonly kind: 'front-matter'
      readonly path: string
      readonly keys: Readonly<Record<string, string | null>>
      readonly only?: boolean
    }
  /** Line ends and byte order mark of the file; every line. */
  | { readonly kind: 'encoding'; readonly path: string; readonly eol: 'lf' | 'crlf'; readonly bom: boolean }
  /** The product's own checks found nothing that the base did not have. */
  | { readonly kind: 'no-new-problems' }
  /** What the model said: the title and body, or the reason. */
  | {
      readonly kind: 'says'
      readonly where: 'title' | 'body' | 'reason'
      readonly pattern: string
      readonly not?: boolean
    }
  /** A one-line title of at most 72 characters without a full stop, and a body that is not empty. */
  | { readonly kind: 'good-words' }

export type GraderKind = Grader['kind']
