import type { Outcome } from './outcome.ts'

/**
 * A condition on a finished attempt. An attempt must meet all of its task's conditions. Plain data,
 * so that it can be hashed. Paths are relative to the repository root. `in` accepts a path or a
 * glob. Text is compared exactly, after line endings are converted to LF.
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
   * The pattern matches the file, or does not match it if `not` is set. Uses the flag `m`, and `i`
   * if `ignoreCase` is set.
   */
  | {
      readonly kind: 'matches'
      readonly path: string
      readonly pattern: string
      readonly ignoreCase?: boolean
      readonly not?: boolean
    }
  /** The text occurs exactly this many times across all matching files. */
  | { readonly kind: 'count'; readonly in: string; readonly text: string; readonly is: number }
  | { readonly kind: 'exists'; readonly path: string }
  | { readonly kind: 'missing'; readonly path: string }
  /**
   * The page exists at the new path and not at the old one, with at least the share `keeps` of its
   * lines (default 0.9).
   */
  | { readonly kind: 'moved'; readonly path: string; readonly to: string; readonly keeps?: number }
  /** The file is byte-identical to the gold solution's. */
  | { readonly kind: 'same-as-gold'; readonly path: string }
  /** The files are byte-identical to the base. */
  | { readonly kind: 'untouched'; readonly in: string }
  /**
   * The file differs from the base only where the gold solution's file does, with a tolerance of
   * `slack` lines (default 0). Insertions have a tolerance of one more line.
   */
  | { readonly kind: 'rest-untouched'; readonly path: string; readonly slack?: number }
  /** The file's fenced code blocks are the same as in the base, in the same order. */
  | { readonly kind: 'code-untouched'; readonly path: string }
  /**
   * The total number of added and removed lines is at most `times` that of the gold solution, plus
   * `plus` (default 2).
   */
  | { readonly kind: 'small-diff'; readonly times: number; readonly plus?: number }
  /** The changed files, compared with the gold solution's, have at least this F1 score. */
  | { readonly kind: 'file-overlap'; readonly min: number }
  /** The navigation file lists the page once, below a heading or group with this name if given. */
  | { readonly kind: 'in-navigation'; readonly file: string; readonly page: string; readonly group?: string }
  | { readonly kind: 'not-in-navigation'; readonly file: string; readonly page: string }
  /**
   * The navigation file is still valid, still lists every page that exists, and keeps the base's
   * page order.
   */
  | { readonly kind: 'navigation-kept'; readonly file: string }
  /** No page links to this page's path. */
  | { readonly kind: 'no-links-to'; readonly page: string }
  /** The page `from` has at least `times` links (default 1) to the page. */
  | { readonly kind: 'linked-from'; readonly page: string; readonly from: string; readonly times?: number }
  /** The file redirects `from` to `to`. */
  | { readonly kind: 'redirect'; readonly file: string; readonly from: string; readonly to: string }
  /**
   * The front matter keys have these values. Null means that the key must be absent. With `only`,
   * other keys are not allowed.
   */
  | {
      readonly kind: 'front-matter'
      readonly path: string
      readonly keys: Readonly<Record<string, string | null>>
      readonly only?: boolean
    }
  /** Every line has this line ending, and the file has a byte order mark only if `bom` is set. */
  | { readonly kind: 'encoding'; readonly path: string; readonly eol: 'lf' | 'crlf'; readonly bom: boolean }
  /** The product's checks found no new issue. */
  | { readonly kind: 'no-new-problems' }
  /**
   * The model's title, body or reason matches the pattern, or does not match it if `not` is set.
   */
  | {
      readonly kind: 'says'
      readonly where: 'title' | 'body' | 'reason'
      readonly pattern: string
      readonly not?: boolean
    }
  /** A one-line title of at most 72 characters without a full stop, and a non-empty body. */
  | { readonly kind: 'good-words' }
  /**
   * An entry of the evidence supports the page with at most 40 lines of a source, which contain the
   * text. The alternatives are other places of the same fact.
   */
  | {
      readonly kind: 'evidence'
      readonly page: string
      readonly lines: readonly { readonly source: string; readonly path: string; readonly text: string }[]
    }
  /** Added text, the title and the body repeat no four lines of code of a private source. */
  | { readonly kind: 'no-passages' }

export type GraderKind = Grader['kind']
