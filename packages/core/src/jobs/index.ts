export { archiveJob, unarchiveJob } from './archive-job.ts'
export { cancelJob } from './cancel-job.ts'
export { QuotaError, type QuotaLimit, type QuotaState } from './count-quota.ts'
export { type CreatedJob, type CreateJobDeps, createJob } from './create-job.ts'
export { deleteJob } from './delete-job.ts'
export { getChanges, getTexts } from './get-changes.ts'
export { getJob, getJobBranch } from './get-job.ts'
export { getJobRequest } from './get-job-request.ts'
export { getKeyFacts } from './get-key-facts.ts'
export {
  countJobsNeedingAttention,
  getDashboardJob,
  listDashboardJobs,
  listJobProjects,
} from './list-dashboard-jobs.ts'
export { getEventState, listEvents, listNewEvents, type NewEvents } from './list-events.ts'
export { listJobFilterOptions } from './list-job-filter-options.ts'
export { type JobsQuery, listJobs } from './list-jobs.ts'
export { listModels } from './list-models.ts'
export { listTranscript } from './list-transcript.ts'
export { retryJob } from './retry-job.ts'
export { mergeSearchIndex } from './search-jobs.ts'
export { sendMessage } from './send-message.ts'
export { buildModelAliases, CLAUDE_MODELS, type ModelAliases } from './to-model-id.ts'
export { DuplicateJobError } from './unwanted-job.ts'
export { type EventWatch, watchEvents } from './watch-events.ts'
