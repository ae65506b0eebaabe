import type { CreateAgentJobRequest } from '@corrigenda/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { createJob, toJobsKey } from '../../api/jobs.ts'
import { modelsQuery } from '../../api/new-job.ts'
import { toCurl } from '../../api/to-curl.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { keepNewJob } from '../../job/api/job-queries.ts'
import { useDraft } from '../../shell/draft-store.ts'
import { ExamplePrompts } from '../../shell/example-prompts.tsx'
import { useProject, useProjectId } from '../../shell/use-project.ts'
import { useSubmission } from '../../shell/use-submission.ts'
import { addPrompt, type DraftErrors, findErrors, type JobDraft, readJobDraft, toRequest } from './job-draft.ts'
import { JobFields, type JobFieldsProps } from './job-fields.tsx'
import { SavedPrompts } from './saved-prompts.tsx'

const EMPTY = 'Describe the change you want.'

const NO_ERRORS: DraftErrors = {}
const NO_DEFAULTS: JobFieldsProps['defaults'] = { draft: false, dedupe: false }

/**
 * The prompt and the options of a new job. They are kept in this browser until the job is created.
 * @param props.initial values before the user changes them
 */
export function JobForm({ draftName, initial }: { draftName: string; initial: JobDraft }) {
  const projectId = useProjectId()
  const project = useProject()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: models } = useQuery(modelsQuery(projectId))
  const [draft, setDraft] = useDraft(draftName, { empty: initial, read: readJobDraft })
  const submission = useSubmission(draftName)
  const [errors, setErrors] = useState(NO_ERRORS)
  const [asCurl, setAsCurl] = useState(false)
  const invalid = findErrors(draft)
  const isValid = Object.keys(invalid).length === 0
  const isChanged = JSON.stringify(draft) !== JSON.stringify(initial)
  const create = useAction({
    mutationFn: (body: CreateAgentJobRequest) => createJob(projectId, body, submission.begin(body)),
    onSuccess: async (job, { prompt }) => {
      keepNewJob(queryClient, { projectId, job, prompt })
      setDraft(initial)
      submission.end()
      void queryClient.invalidateQueries({ queryKey: toJobsKey(projectId) })
      await navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId, jobId: job.id } })
    },
  })
  const set = (change: Partial<JobDraft>) => {
    setErrors(NO_ERRORS)
    setDraft({ ...draft, ...change })
  }
  const submit = () => {
    const isEmpty = draft.prompt.trim() === ''
    if (isEmpty || !isValid) return setErrors(isEmpty ? { ...invalid, prompt: EMPTY } : invalid)
    if (!create.isPending) create.mutate(toRequest(draft))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Events of dialogs bubble through React's tree.
    if (!event.currentTarget.contains(event.target as Node)) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      submit()
    }
  }
  return (
    <>
      <ExamplePrompts onChoose={(example) => set({ prompt: addPrompt(draft.prompt, example) })} />
      <form
        className="new-job stack"
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          if (event.target !== event.currentTarget) return
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
          models={models}
          errors={errors}
          prompts={
            <SavedPrompts prompt={draft.prompt} onUse={(saved) => set({ prompt: addPrompt(draft.prompt, saved) })} />
          }
        />
        {create.error ? <ErrorNote error={create.error} /> : null}
        <div className="cluster">
          <Button variant="primary" type="submit" busy={create.isPending}>
            Create job
          </Button>
          <Button variant="quiet" aria-pressed={asCurl} onClick={() => setAsCurl(!asCurl)}>
            {asCurl ? 'Hide curl' : 'Show curl'}
          </Button>
          {isChanged ? (
            <Button variant="quiet" onClick={() => set(initial)}>
              Discard draft
            </Button>
          ) : null}
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
