import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/request.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { NotFoundPage } from '../../shell/problem-page.tsx'
import { useJobId, useProjectId } from '../../shell/use-project.ts'
import { changesQuery, jobQuery, jobSummaryQuery, transcriptQuery } from '../api/job-queries.ts'
import { JobPage } from './job-page.tsx'

/** The job page, with the agent's work and changes. */
export function JobScreen() {
  const projectId = useProjectId()
  const jobId = useJobId()
  const jobKey = { projectId, jobId }
  const { data: job, error, refetch } = useQuery(jobQuery(jobKey))
  // Starts these queries early, because components further down use them.
  useQuery(transcriptQuery(jobKey))
  useQuery(changesQuery(jobKey))
  const { isPending: isPromptPending } = useQuery(jobSummaryQuery(jobKey))
  // The header contains the prompt and the creator, and everything else is below it.
  if (job && !isPromptPending) return <JobPage key={jobId} jobKey={jobKey} job={job} />
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage jobsOf={projectId} />
  return error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : <Loading />
}
