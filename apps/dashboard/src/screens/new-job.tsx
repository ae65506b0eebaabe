import type { CreateAgentJobRequest } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { createJob, toJobsKey } from '../api/jobs.ts'
import { toCurl } from '../api/to-curl.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../components/button.tsx'
import { CodeBlock } from '../components/code-block.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { useHasRole, useProject, useProjectId } from '../shell/use-project.ts'
import { EMPTY_DRAFT, findMetadataError, findSourcesError, type JobDraft, toRequest } from './new-job/job-draft.ts'
import { JobFields, type JobFieldsProps } from './new-job/job-fields.tsx'
import './new-job/new-job.css'

const EMPTY = 'Describe the change you want.'

const NO_ERRORS: JobFieldsProps['errors'] = { prompt: null, metadata: null, sources: null }
const NO_DEFAULTS: JobFieldsProps['defaults'] = { draft: false, dedupe: false }

/** The form that creates a job from a prompt. */
export function NewJobScreen() {
  const projectId = useProjectId()
  const project = useProject()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const mayCreate = useHasRole('member')
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [errors, setErrors] = useState(NO_ERRORS)
  const [asCurl, setAsCurl] = useState(false)
  const invalid = { metadata: findMetadataError(draft), sources: findSourcesError(draft) }
  const isValid = invalid.metadata === null && invalid.sources === null
  const create = useAction({
    mutationFn: (body: CreateAgentJobRequest) => createJob(projectId, body),
    onSuccess: async ({ id: jobId }) => {
      void queryClient.invalidateQueries({ queryKey: toJobsKey(projectId) })
      await navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId, jobId } })
    },
  })
  const set = (change: Partial<JobDraft>) => {
    setErrors(NO_ERRORS)
    setDraft({ ...draft, ...change })
  }
  const submit = () => {
    const prompt = draft.prompt.trim() === '' ? EMPTY : null
    if (prompt !== null || !isValid) return setErrors({ prompt, ...invalid })
    if (!create.isPending) create.mutate(toRequest(draft))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      submit()
    }
  }
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
        description={`The job opens a pull request for ${project?.name ?? 'this project'}.`}
      />
      <form
        className="new-job"
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <JobFields
          draft={draft}
          onChange={set}
          baseBranch={project?.baseBranch ?? 'Default branch'}
          defaults={project?.jobDefaults ?? NO_DEFAULTS}
          sources={project?.sources ?? []}
          errors={errors}
        />
        {create.error ? <ErrorNote error={create.error} /> : null}
        <div className="cluster">
          <Button variant="primary" type="submit" busy={create.isPending}>
            Create job
          </Button>
          <Button variant="quiet" aria-pressed={asCurl} onClick={() => setAsCurl(!asCurl)}>
            {asCurl ? 'Hide curl' : 'Show curl'}
          </Button>
        </div>
        {asCurl && isValid ? (
          <CodeBlock
            label="Equivalent command"
            code={toCurl({ origin: window.location.origin, projectId, body: toRequest(draft) })}
          />
        ) : null}
      </form>
    </>
  )
}
