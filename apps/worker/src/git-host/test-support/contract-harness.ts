import type { RepositoryAddress } from '@corrigenda/contracts'
import type { Credentials } from '../credentials.ts'
import type { ChecksState, GitHostAdapter } from '../git-host.ts'

/**
 * A Git host for adapter tests. The control functions act as users of the host and do not use the
 * adapter.
 */
export interface ContractHarness {
  readonly adapter: GitHostAdapter
  /**
   * `all`: reads and writes contents, pull requests, checks and workflows. `read`: only reads
   * contents. `elsewhere`: has no access to the repository. `wrong`: invalid.
   */
  buildCredentials(kind: 'all' | 'read' | 'elsewhere' | 'wrong'): Credentials
  /**
   * Creates a repository with one commit on `main` and a workflow file `docs.yml` that can be
   * dispatched.
   */
  createRepository(): Promise<RepositoryAddress>
  /** Commits a change to one file. @returns the commit */
  pushCommit(repository: RepositoryAddress, branch: string): Promise<string>
  tag(repository: RepositoryAddress, name: string, commit: string): Promise<void>
  endPullRequest(repository: RepositoryAddress, number: number, how: 'merge' | 'close'): Promise<void>
  /** Returns the path after the rename. */
  rename(repository: RepositoryAddress): Promise<string>
  archive(repository: RepositoryAddress): void
  reportCheck(repository: RepositoryAddress, commit: string, state: ChecksState): void
  readPullRequest(
    repository: RepositoryAddress,
    number: number,
  ): { title: string; labels: string[]; reviewers: string[] }
  countPullRequests(repository: RepositoryAddress): number
  countRuns(repository: RepositoryAddress): number
  readonly reviewer: string
  /** A team that cannot review. */
  readonly strangers: string
  close(): Promise<void>
}
