export {
  claimPullRequestPoll,
  type HostEvent,
  type PullRequestPoll,
  postponePullRequestPoll,
  recordBranchDeleted,
  recordPullRequestPoll,
  wakePullRequests,
} from './pull-request-polls.ts'
export {
  findRemarkResult,
  ignoreRemarks,
  listAnsweredThreads,
  listQuietRemarks,
  type NewRemark,
  recordAnswer,
  recordRemarks,
} from './remarks.ts'
