import { EXAMPLE_PROMPT, MAX_PROMPT_LENGTH, type SetupProgress } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { createJob } from '../../api/jobs.ts'
import { setupProgressQuery } from '../../api/ops.ts'
import { Button, ExternalLink } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextArea } from '../../components/field.tsx'
import { useAction } from '../../components/use-action.ts'
import { useHasRole, useProject, useProjectId } from '../../shell/use-project.ts'
import { useSubmission } from '../../shell/use-submission.ts'
import { Step, type StepProps } from './step.tsx'

/** The step that creates the first job, from this page or through the API. */
export function JobStep(props: { job: SetupProgress['job']; isRehearsal: boolean; isNext: boolean }) {
  const { job, isRehearsal, isNext } = props
  const projectId = useProjectId()
  const project = useProject()
  const mayCreate = useHasRole('member')
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState<string | null>(null)
  const prompt = typed ?? (isRehearsal ? EXAMPLE_PROMPT : '')
  const submission = useSubmission('first-job')
  const create = useAction({
    mutationFn: () => createJob(projectId, { prompt }, submission.begin({ prompt })),
    onSuccess: () => {
      submission.end()
      return queryClient.invalidateQueries(setupProgressQuery(projectId))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Step id="job" title="Create the first job" badge={toBadge(job)} isNext={isNext}>
      {job ? (
        <p>
          <Link to="/projects/$projectId/jobs/$jobId" params={{ projectId, jobId: job.id }}>
            {job.status === 'active' ? 'Watch the first job' : 'View the first job'}
          </Link>
          {job.prLink ? (
            <>
              {' · '}
              <ExternalLink href={job.prLink}>Pull request</ExternalLink>
            </>
          ) : null}
        </p>
      ) : mayCreate ? (
        <form className="block-form" onSubmit={submit}>
          <TextArea
            label="Prompt"
            prose
            required
            rows={3}
            maxLength={MAX_PROMPT_LENGTH}
            hint={
              isRehearsal
                ? 'One of the prompts that the rehearsal model supports.'
                : 'Describe the change in one or more sentences.'
            }
            value={prompt}
            onChange={(event) => setTyped(event.target.value)}
          />
          {create.error ? <ErrorNote error={create.error} /> : null}
          <div>
            <Button type="submit" variant="primary" busy={create.isPending}>
              Create job
            </Button>
          </div>
        </form>
      ) : null}
      <p>To create a job from your backend and wait for it to finish, run:</p>
      <CodeBlock
        label="Command that creates a job and waits for it"
        code={toPollingCurl({
          origin: window.location.origin,
          projectId: project?.id ?? projectId,
          prompt: prompt || EXAMPLE_PROMPT,
        })}
      />
    </Step>
  )
}

function toBadge(job: SetupProgress['job']): StepProps['badge'] {
  if (!job) return { word: 'Not created', icon: 'ring', tone: 'muted' }
  if (job.status === 'active') return { word: 'Active', icon: 'turning', tone: 'accent' }
  if (job.status === 'failed') return { word: 'Failed', icon: 'failed', tone: 'bad' }
  return { word: 'Done', icon: 'check', tone: 'ok' }
}

/**
 * Returns shell commands that create a job and poll it every 2 s until it ends. They require curl.
 * The user replaces the placeholder in `CORRIGENDA_API_KEY` with an API key.
 */
function toPollingCurl(input: { origin: string; projectId: string; prompt: string }): string {
  const { origin, projectId, prompt } = input
  const job = `${origin}/v2/agent/${projectId}/job`
  const body = JSON.stringify({ prompt }).replaceAll("'", "'\\''")
  const call = 'curl -sS -H "Authorization: Bearer $CORRIGENDA_API_KEY"'
  return [
    'export CORRIGENDA_API_KEY=cgd_…',
    `id=$(${call} -H 'Content-Type: application/json' -d '${body}' ${job} | sed -n 's/^{"id":"\\([^"]*\\)".*/\\1/p')`,
    `until job=$(${call} ${job}/$id) && case "$job" in *'"status":"active"'*) false;; esac; do sleep 2; done`,
    'echo "$job"',
  ].join('\n')
}
