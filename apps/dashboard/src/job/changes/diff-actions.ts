import type { LineComment } from '../memory/job-memory.ts'
import type { FileRange } from './line-range.ts'

/** What the rows of a change can do. The functions never change. */
export interface DiffActions {
  toggle(file: number): void
  setViewed(file: number, isViewed: boolean): void
  /** Selects lines. With `isExtending`, the selection grows to these lines. */
  pick(range: FileRange, isExtending: boolean): void
  putComment(comment: LineComment): void
  /** Returns true once for a comment that the user has just started: its id and its lines. */
  takesFocus(comment: string): boolean
  removeComment(id: string): void
  /** Address of these lines, or of the file. */
  toLink(place: FileRange | { readonly path: string }): string
}
