import type { AgentJob } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { toSentence } from '../../api/to-sentence.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useToast } from '../../components/toast.tsx'
import { useHasRole } from '../../shell/use-project.ts'
import { archiveJob, cancelJob, type JobKey, jobQuery, retryJob } from '../api/job-queries.ts'
import { DeleteJobButton } from './delete-job-button.tsx'

/** The actions that are available in the job's current state. */
export function JobActions({ jobKey, job }: { jobKey: JobKey; job: AgentJob }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const keep = (changed: AgentJob) => client.setQueryData(jobQuery(jobKey).queryKey, changed)
  const onError = (error: Error) => toast(toSentence(error), 'bad')
  const cancel = useAction({
    mutationFn: () => cancelJob(jobKey),
    onSuccess: (changed) => {
      keep(changed)
      setAsking(false)
    },
  })
  const archive = useAction({ mutationFn: () => archiveJob(jobKey), onSuccess: keep, onError })
  const retry = useAction({
    mutationFn: () => retryJob(jobKey),
    onError,
    onSuccess: ({ id: jobId }) =>
      navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId: jobKey.projectId, jobId } }),
  })
  const isOwner = useHasRole('owner')
  const isActive = job.status === 'active'
  return (
    <div className="cluster">
      {isActive ? (
        <Button variant="danger" icon="slash" onClick={() => setAsking(true)}>
          Cancel job
        </Button>
      ) : (
        <Button icon="refresh" busy={retry.isPending} onClick={() => retry.mutate()}>
          Retry
        </Button>
      )}
      {isActive || job.status === 'archived' ? null : (
        <Button icon="archive" busy={archive.isPending} onClick={() => archive.mutate()}>
          Archive
        </Button>
      )}
      {isActive || !isOwner ? null : <DeleteJobButton jobKey={jobKey} />}
      <ConfirmDialog
        open={isAsking && isActive}
        title="Cancel this job?"
        action="Cancel job"
        keep="Keep job"
        onConfirm={() => cancel.mutate()}
        onClose={() => {
          cancel.reset()
          setAsking(false)
        }}
        busy={cancel.isPending}
        error={cancel.error}
      >
        The agent will stop within seconds. Unpublished edits will be lost. An existing pull request will stay open.
      </ConfirmDialog>
    </div>
  )
}
