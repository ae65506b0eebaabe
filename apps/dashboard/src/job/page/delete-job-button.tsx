import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { deleteJob, type JobKey } from '../api/job-queries.ts'

/** Deletes a job that has ended, after a confirmation, and shows the job list. */
export function DeleteJobButton({ jobKey }: { jobKey: JobKey }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const { projectId, jobId } = jobKey
  const remove = useAction({
    mutationFn: () => deleteJob(jobKey),
    onSuccess: async () => {
      await navigate({ to: '/projects/$projectId/jobs', params: { projectId } })
      client.removeQueries({ queryKey: ['project', projectId, 'job', jobId] })
    },
  })
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Delete this job?"
        action="Delete job"
        keep="Keep job"
        onConfirm={() => remove.mutate()}
        onClose={() => {
          remove.reset()
          setAsking(false)
        }}
        busy={remove.isPending}
        error={remove.error}
      >
        Its prompts, transcript, events and changes will be deleted. This cannot be undone. An open pull request stays
        open, but its state is no longer tracked.
      </ConfirmDialog>
    </>
  )
}
