import type { RepositoryAddress } from '@corrigenda/contracts'
import type { Credentials } from '../credentials.ts'
import type { AccessTest, ChecksState, GitHostAdapter } from '../git-host.ts'

/** A user of the host. `review` requests changes and comments on a line. */
export interface RemarkingUser {
  readonly login: string
  comment(number: number, body: string): void
  review(number: number, input: { body: string; path: string; line: number; comment: string }): void
}

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
  /** What a credential that only reads contents is also granted. */
  readonly alsoReads: readonly AccessTest['to'][]
  /**
   * Creates a repository with one commit on `main` and a workflow that can be started.
   */
  createRepository(): Promise<RepositoryAddress>
  readonly workflow: {
    readonly name: string
    readonly path: string
    /** True if the host has events that start workflows. */
    readonly hasEvents: boolean
  }
  /** Commits a change to one file. @returns the commit */
  pushCommit(repository: RepositoryAddress, branch: string): Promise<string>
  tag(repository: RepositoryAddress, name: string, commit: string): Promise<void>
  endPullRequest(repository: RepositoryAddress, number: number, how: 'merge' | 'close'): Promise<void>
  /** Returns the path after the rename. */
  rename(repository: RepositoryAddress): Promise<string>
  /** True if the host groups the comments of a review. */
  readonly hasReviews: boolean
  /** Adds a user with or without write permission, who comments and reviews. */
  addUser(repository: RepositoryAddress, mayWrite: boolean): RemarkingUser
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
