export { claimPullRequestPoll, type PullRequestPoll } from './claim-pull-request-poll.ts'
export { postponePullRequestPoll, recordBranchDeleted, recordPullRequestPoll } from './record-pull-request-poll.ts'
export { type HostEvent, wakePullRequests } from './wake-pull-requests.ts'
