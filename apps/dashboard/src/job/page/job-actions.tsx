import type { AgentJob } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { toSentence } from '../../api/request.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm.tsx'
import { Icon } from '../../components/icon.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { usePageActions } from '../../shell/palette/page-actions.tsx'
import type { PaletteEntry } from '../../shell/palette/palette-entry.ts'
import { useHasRole } from '../../shell/use-project.ts'
import { useSubmission } from '../../shell/use-submission.ts'
import { archiveJob, cancelJob, deleteJob, type JobKey, jobQuery, retryJob } from '../api/job-queries.ts'

/** Description of what archiving does. */
export const ARCHIVE_HINT = 'Archived jobs are read-only and cannot be continued. This cannot be undone.'

/** The actions that are available in the job's current state. */
export function JobActions({ jobKey, job }: { jobKey: JobKey; job: AgentJob }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [asked, setAsked] = useState<'cancel' | 'archive' | null>(null)
  const keep = (changed: AgentJob) => client.setQueryData(jobQuery(jobKey).queryKey, changed)
  const onError = (error: Error) => toast(toSentence(error), 'bad')
  const cancel = useAction({
    mutationFn: () => cancelJob(jobKey),
    onSuccess: (changed) => {
      keep(changed)
      setAsked(null)
    },
  })
  const archive = useAction({
    mutationFn: () => archiveJob(jobKey),
    onSuccess: (changed) => {
      keep(changed)
      setAsked(null)
    },
  })
  const retrying = useSubmission(`retry:${jobKey.jobId}`)
  const retry = useAction({
    mutationFn: () => retryJob(jobKey, retrying.begin(null)),
    onError,
    onSuccess: ({ id: jobId }) => {
      retrying.end()
      return navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId: jobKey.projectId, jobId } })
    },
  })
  const isOwner = useHasRole('owner')
  const isActive = job.status === 'active'
  const isArchivable = !isActive && job.status !== 'archived'
  usePageActions(
    useMemo(
      (): PaletteEntry[] => [
        {
          id: 'edit',
          label: 'Edit this job and run it again',
          icon: 'edit',
          run: () => {
            const params = { projectId: jobKey.projectId }
            void navigate({ to: '/projects/$projectId/jobs/new', params, search: { from: jobKey.jobId } })
          },
        },
        ...(isActive
          ? [{ id: 'cancel', label: 'Cancel this job', icon: 'slash' as const, run: () => setAsked('cancel') }]
          : [{ id: 'retry', label: 'Retry this job', icon: 'refresh' as const, run: () => retry.mutate() }]),
        ...(isArchivable
          ? [{ id: 'archive', label: 'Archive this job', icon: 'archive' as const, run: () => setAsked('archive') }]
          : []),
      ],
      [isActive, isArchivable, jobKey.projectId, jobKey.jobId, navigate, retry.mutate],
    ),
  )
  return (
    <div className="cluster">
      {isActive ? (
        <Button variant="danger" icon="slash" onClick={() => setAsked('cancel')}>
          Cancel job
        </Button>
      ) : (
        <Button icon="refresh" busy={retry.isPending} onClick={() => retry.mutate()}>
          Retry
        </Button>
      )}
      <Link
        className="button"
        to="/projects/$projectId/jobs/new"
        params={{ projectId: jobKey.projectId }}
        search={{ from: jobKey.jobId }}
      >
        <Icon name="edit" />
        Edit and run again
      </Link>
      {!isArchivable ? null : (
        <Button icon="archive" onClick={() => setAsked('archive')}>
          Archive
        </Button>
      )}
      {isActive || !isOwner ? null : <DeleteJobButton jobKey={jobKey} />}
      <ConfirmDialog
        open={asked === 'cancel' && isActive}
        title="Cancel this job?"
        action="Cancel job"
        keep="Keep job"
        onConfirm={() => cancel.mutate()}
        onClose={() => {
          cancel.reset()
          setAsked(null)
        }}
        busy={cancel.isPending}
        error={cancel.error}
      >
        The agent will stop within seconds. Unpublished edits will be lost. An existing pull request will stay open.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'archive' && isArchivable}
        title="Archive this job?"
        action="Archive job"
        keep="Keep job"
        onConfirm={() => archive.mutate()}
        onClose={() => {
          archive.reset()
          setAsked(null)
        }}
        busy={archive.isPending}
        error={archive.error}
      >
        {ARCHIVE_HINT}
      </ConfirmDialog>
    </div>
  )
}

/** Deletes a job that has ended, after a confirmation, and shows the job list. */
function DeleteJobButton({ jobKey }: { jobKey: JobKey }) {
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
