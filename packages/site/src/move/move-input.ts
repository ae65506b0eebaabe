import type { SiteIndex } from '../links/site-index.ts'
import type { DraftFiles } from './draft-files.ts'
import type { Repository } from './read-repository.ts'

/** A requested move, and the state that the plan reads and edits. */
export interface MoveInput {
  readonly repository: Repository
  /** The index of the sites after the move. */
  readonly after: SiteIndex
  /** New paths keyed by old path. */
  readonly moves: ReadonlyMap<string, string>
  readonly drafts: DraftFiles
  /** Returns the reason why a file cannot be written, or null if it can. */
  explain(path: string): string | null
}
