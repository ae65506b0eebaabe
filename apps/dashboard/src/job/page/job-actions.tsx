import { type AgentJob, toJobState } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { toSentence } from '../../api/request.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm.tsx'
import { copyText } from '../../components/copy-button.tsx'
import { JOB_STATE_FACTS } from '../../components/job-badge.tsx'
import { Menu, type MenuEntry } from '../../components/menu.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { usePageActions } from '../../shell/palette/page-actions.tsx'
import { useHasRole } from '../../shell/use-project.ts'
import { useSubmission } from '../../shell/use-submission.ts'
import {
  archiveJob,
  cancelJob,
  deleteJob,
  type JobKey,
  jobQuery,
  keepNewJob,
  retryJob,
  unarchiveJob,
} from '../api/job-queries.ts'
import { toPlaceLink } from './job-place.ts'

interface JobActionsProps {
  readonly jobKey: JobKey
  readonly job: AgentJob
  readonly prompt: string
}

interface Action extends MenuEntry {
  /** Label in the command palette. Absent for actions that are only in the menu. */
  readonly command?: string
}

/** The actions that are available in the job's current state: one menu, and a button to cancel. */
export function JobActions({ jobKey, job, prompt }: JobActionsProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const mayWrite = useHasRole('member')
  const isOwner = useHasRole('owner')
  const [asked, setAsked] = useState<'cancel' | 'delete' | null>(null)
  const { projectId, jobId } = jobKey
  const isActive = job.status === 'active'
  const isArchived = job.status === 'archived'
  const keep = (changed: AgentJob) => client.setQueryData(jobQuery(jobKey).queryKey, changed)
  const onError = (error: Error) => toast(toSentence(error), 'bad')
  const cancel = useAction({
    mutationFn: () => cancelJob(jobKey),
    onSuccess: (changed) => {
      keep(changed)
      setAsked(null)
    },
  })
  const unarchive = useAction({ mutationFn: () => unarchiveJob(jobKey), onError, onSuccess: keep })
  const archive = useAction({
    mutationFn: () => archiveJob(jobKey),
    onError,
    onSuccess: (changed) => {
      keep(changed)
      toast('Job archived.', 'ok', { label: 'Undo', run: () => unarchive.mutate() })
    },
  })
  const retrying = useSubmission(`retry:${jobId}`)
  const retry = useAction({
    mutationFn: () => retryJob(jobKey, retrying.begin(null)),
    onError,
    onSuccess: (created) => {
      retrying.end()
      keepNewJob(client, { projectId, job: created, prompt })
      return navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId, jobId: created.id } })
    },
  })
  const remove = useAction({
    mutationFn: () => deleteJob(jobKey),
    onSuccess: async () => {
      await navigate({ to: '/projects/$projectId/jobs', params: { projectId } })
      client.removeQueries({ queryKey: ['project', projectId, 'job', jobId] })
    },
  })
  const changes = useMemo((): Action[] => {
    const editAgain: Action = {
      label: 'Edit and run again',
      command: 'Edit this job and run it again',
      icon: 'edit',
      onSelect: () =>
        void navigate({ to: '/projects/$projectId/jobs/new', params: { projectId }, search: { from: jobId } }),
    }
    if (isActive) return [editAgain]
    const again: Action = {
      label: 'Retry',
      command: 'Retry this job',
      icon: 'refresh',
      onSelect: () => retry.mutate(),
    }
    const archiving: Action = isArchived
      ? { label: 'Unarchive', command: 'Unarchive this job', icon: 'archive', onSelect: () => unarchive.mutate() }
      : { label: 'Archive', command: 'Archive this job', icon: 'archive', onSelect: () => archive.mutate() }
    return [again, editAgain, archiving]
  }, [isActive, isArchived, jobId, projectId, navigate, retry.mutate, archive.mutate, unarchive.mutate])
  usePageActions(
    useMemo(() => {
      if (!mayWrite) return []
      const commands = changes.map(({ label, command = label, icon = 'jobs', onSelect: run }) => ({
        id: label,
        label: command,
        icon,
        run,
      }))
      if (!isActive) return commands
      return [
        ...commands,
        { id: 'cancel', label: 'Cancel this job', icon: 'slash' as const, run: () => setAsked('cancel') },
      ]
    }, [changes, mayWrite, isActive]),
  )
  const copy = async (what: string, text: string) => {
    if (await copyText(text)) toast(`${what} copied.`)
    else toast('The browser blocked copying.', 'bad')
  }
  const entries: MenuEntry[] = [
    ...(mayWrite ? changes : []),
    { label: 'Copy link', icon: 'copy', onSelect: () => void copy('Link', toPlaceLink({})) },
    { label: 'Copy job ID', icon: 'copy', onSelect: () => void copy('Job ID', job.id) },
    {
      label: 'Copy as Markdown',
      icon: 'copy',
      onSelect: () => void copy('Markdown', toJobMarkdown(job, prompt, toPlaceLink({}))),
    },
  ]
  if (isOwner && !isActive) {
    entries.push({ label: 'Delete', icon: 'close', danger: true, onSelect: () => setAsked('delete') })
  }
  return (
    <>
      {isActive && mayWrite ? (
        <Button variant="danger" icon="slash" onClick={() => setAsked('cancel')}>
          Cancel job
        </Button>
      ) : null}
      <Menu
        trigger={
          <Button variant="quiet" icon="more" iconOnly>
            Actions
          </Button>
        }
        entries={entries}
      />
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
        open={asked === 'delete'}
        title="Delete this job?"
        action="Delete job"
        keep="Keep job"
        onConfirm={() => remove.mutate()}
        onClose={() => {
          remove.reset()
          setAsked(null)
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

/** Returns the job's prompt, outcome, pull request and summary as Markdown. */
export function toJobMarkdown(job: AgentJob, prompt: string, link: string): string {
  const { pullRequest, summary, failure } = job
  const facts = [
    `- Job: [${job.id}](${link})`,
    `- Status: ${JOB_STATE_FACTS[toJobState(job)].label}`,
    ...(pullRequest ? [`- Pull request: [#${pullRequest.number}](${pullRequest.url}) (${pullRequest.state})`] : []),
  ]
  const quote = prompt
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
  const parts = [quote, facts.join('\n'), failure ? `${failure.message} (\`${failure.code}\`)` : '', summary ?? '']
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`
}
