import type { JobSource, RepositoryAddress } from '@corrigenda/contracts'
import type { StoredSource } from '@corrigenda/core/projects'

/** A source that a job opens, with what the job reads of it. */
export interface SelectedSource extends StoredSource {
  readonly address: RepositoryAddress
  readonly asked: AskedRange
  /** Whether the first message lists the recent changes. */
  readonly listsChanges: boolean
}

/** Which commit is read, and where the recent changes start. */
export interface AskedRange extends Pick<JobSource, 'ref' | 'pullRequest' | 'since'> {
  /**
   * True if the prompt contains the range, false if the request does. A range of a prompt that does
   * not exist is ignored.
   */
  readonly isGuess: boolean
}
