import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { jobRequestQuery, modelsQuery } from '../../api/new-job.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useHasRole, useProject, useProjectId } from '../../shell/use-project.ts'
import { EMPTY_DRAFT, toDraft } from './job-draft.ts'
import { JobForm } from './job-form.tsx'
import './new-job.css'

/**
 * The form that creates a job from a prompt. In the URL, `from` is an earlier job to start from, and
 * `prompt` is a prompt. Each has a draft of its own, so that it does not replace the user's draft.
 */
export function NewJobScreen() {
  const { from, prompt } = useSearch({ from: '/signed-in/projects/$projectId/jobs/new' })
  const projectId = useProjectId()
  const project = useProject()
  const mayCreate = useHasRole('member')
  if (!mayCreate) {
    return (
      <>
        <PageHeader title="New job" />
        <p>Viewers cannot create jobs. Ask a project owner to make you a member.</p>
      </>
    )
  }
  return (
    <>
      <PageHeader
        title="New job"
        description={
          from === undefined
            ? `The job opens a pull request for ${project?.name ?? 'this project'}.`
            : 'Starts from the prompt and the options of an earlier job. That job does not change.'
        }
      />
      {from === undefined ? (
        <JobForm
          key={`${projectId} ${prompt}`}
          draftName={prompt === undefined ? 'new-job' : `new-job:prompt:${prompt}`}
          initial={prompt === undefined ? EMPTY_DRAFT : { ...EMPTY_DRAFT, prompt }}
        />
      ) : (
        <CopiedJobForm key={from} from={from} />
      )}
    </>
  )
}

function CopiedJobForm({ from }: { from: string }) {
  const projectId = useProjectId()
  const project = useProject()
  const request = useQuery(jobRequestQuery(projectId, from))
  const models = useQuery(modelsQuery(projectId))
  if (!request.data || !models.data) {
    const failed = [request, models].find(({ error }) => error !== null)
    if (!failed) return <Loading label="Loading the job" />
    return <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />
  }
  const facts = { baseBranch: project?.baseBranch ?? null, model: models.data.default }
  return <JobForm draftName={`new-job:${from}`} initial={toDraft(request.data, facts)} />
}
