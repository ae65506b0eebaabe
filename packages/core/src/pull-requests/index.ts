export {
  claimPullRequestPoll,
  type HostEvent,
  type PullRequestPoll,
  postponePullRequestPoll,
  recordBranchDeleted,
  recordPullRequestPoll,
  wakePullRequests,
} from './pull-request-polls.ts'
