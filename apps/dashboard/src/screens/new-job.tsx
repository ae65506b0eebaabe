import { type CreateAgentJobRequest, MAX_PROMPT_LENGTH } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { createJob, toJobsKey } from '../api/jobs.ts'
import { toCurl } from '../api/to-curl.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { CodeBlock } from '../components/code-block.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { Field } from '../components/field.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { TextArea } from '../components/text-area.tsx'
import { useHasRole, useProject, useProjectId } from '../shell/use-project.ts'
import './new-job/new-job.css'

const EMPTY = 'Write what should be changed: an empty prompt is no job.'

/** Writes a prompt and makes a job of it. */
export function NewJobScreen() {
  const projectId = useProjectId()
  const project = useProject()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const mayCreate = useHasRole('member')
  const [draft, setDraft] = useState({ prompt: '', model: '', ref: '', isDraft: false })
  const [isEmpty, setEmpty] = useState(false)
  const [asCurl, setAsCurl] = useState(false)
  const body = toRequest(draft)
  const create = useAction({
    mutationFn: (body: CreateAgentJobRequest) => createJob(projectId, body),
    onSuccess: async ({ id: jobId }) => {
      void queryClient.invalidateQueries({ queryKey: toJobsKey(projectId) })
      await navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId, jobId } })
    },
  })
  const set = (change: Partial<typeof draft>) => {
    setEmpty(false)
    setDraft({ ...draft, ...change })
  }
  const submit = () => {
    if (draft.prompt.trim() === '') return setEmpty(true)
    if (!create.isPending) create.mutate(body)
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
        <p>As a viewer you may read jobs. Ask an owner of the project to make you a member.</p>
      </>
    )
  }
  return (
    <>
      <PageHeader
        title="New job"
        description={`For ${project?.name ?? 'this project'}: the result is a pull request.`}
      />
      <form
        className="new-job"
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextArea
          label="Prompt"
          prose
          rows={8}
          maxLength={MAX_PROMPT_LENGTH}
          value={draft.prompt}
          error={isEmpty ? EMPTY : null}
          hint="What to change, in a sentence or more. Ctrl+Enter creates the job."
          onChange={(event) => set({ prompt: event.target.value })}
        />
        <div className="new-job-options">
          <Field
            label="Model"
            value={draft.model}
            autoComplete="off"
            spellCheck={false}
            placeholder="The default"
            onChange={(event) => set({ model: event.target.value })}
          />
          <Field
            label="Base branch"
            value={draft.ref}
            autoComplete="off"
            spellCheck={false}
            placeholder={project?.baseBranch ?? "The repository's default"}
            onChange={(event) => set({ ref: event.target.value })}
          />
        </div>
        <Checkbox
          label="Open the pull request as a draft"
          checked={draft.isDraft}
          onChecked={(isDraft) => set({ isDraft })}
        />
        {create.error ? <ErrorNote error={create.error} /> : null}
        <div className="cluster">
          <Button variant="primary" type="submit" busy={create.isPending}>
            Create job
          </Button>
          <Button variant="quiet" aria-pressed={asCurl} onClick={() => setAsCurl(!asCurl)}>
            {asCurl ? 'Hide curl' : 'As curl'}
          </Button>
        </div>
        {asCurl ? (
          <CodeBlock label="The same as a command" code={toCurl({ origin: window.location.origin, projectId, body })} />
        ) : null}
      </form>
    </>
  )
}

/** What is not filled in is not sent: the service's defaults hold. */
function toRequest(draft: { prompt: string; model: string; ref: string; isDraft: boolean }): CreateAgentJobRequest {
  const model = draft.model.trim()
  const ref = draft.ref.trim()
  return {
    prompt: draft.prompt,
    ...(model ? { model } : {}),
    ...(ref ? { ref } : {}),
    ...(draft.isDraft ? { draft: true } : {}),
  }
}
