export { type CommitFacts, findCommits, readChangedFiles, readPatch } from './git/read-history.ts'
export { findBranchTip, findCommitId, keepPullHead, readDefaultBranch, syncPullRequests } from './git/refs.ts'
export { findInGit, runGit, runGitBytes } from './git/run-git.ts'
export { findPrincipal, isPermitted, isVisible, type Principal } from './host/credentials.ts'
export { type Exchange, HttpError, performUnderFault, send } from './host/exchange.ts'
export {
  findRepository,
  type HostDialect,
  type HostState,
  type Repository,
  toStableId,
} from './host/host-state.ts'
export type { Operation } from './host/operations.ts'
export type { Comment, PullRequest, ReviewComment, WorkflowRun } from './host/types.ts'
export { addComment } from './rest/issue-routes.ts'
export { toUpdated } from './rest/represent.ts'
export { addReply, addReview } from './rest/review-routes.ts'
