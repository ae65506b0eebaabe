import { type AgentJob, type JobState, toJobState } from '@corrigenda/contracts'
import { Badge, type BadgeTone } from './badge.tsx'
import type { IconName } from './icon.tsx'

export const JOB_STATE_FACTS: Readonly<Record<JobState, JobStateFacts>> = {
  needs_review: {
    label: 'Needs review',
    icon: 'branch',
    tone: 'warn',
    hint: 'The change is in an open pull request. Review it on the Git host.',
  },
  queued: { label: 'Queued', icon: 'ring', tone: 'muted', hint: 'Waiting for a free worker.' },
  active: { label: 'Active', icon: 'turning', tone: 'accent', hint: 'A worker is running this job.' },
  merged: { label: 'Merged', icon: 'check', tone: 'ok', hint: 'The pull request was merged.' },
  closed: { label: 'Closed', icon: 'close', tone: 'muted', hint: 'The pull request was closed without merging it.' },
  no_changes: {
    label: 'No changes',
    icon: 'dash',
    tone: 'muted',
    hint: 'The latest run made no changes.',
  },
  needs_input: {
    label: 'Needs input',
    icon: 'question',
    tone: 'warn',
    hint: 'The agent asked a question. Answer it with a follow-up.',
  },
  failed: { label: 'Failed', icon: 'failed', tone: 'bad', hint: 'The latest run failed.' },
  cancelled: { label: 'Cancelled', icon: 'slash', tone: 'muted', hint: 'The job was cancelled.' },
  archived: { label: 'Archived', icon: 'archive', tone: 'muted', hint: 'Read-only. The job cannot be continued.' },
}

export function JobBadge({ job }: { job: Pick<AgentJob, 'status' | 'phase' | 'outcome' | 'pullRequest'> }) {
  const { label, icon, tone, hint } = JOB_STATE_FACTS[toJobState(job)]
  return (
    <Badge icon={icon} tone={tone} hint={hint} testId="status-badge">
      {label}
    </Badge>
  )
}

interface JobStateFacts {
  readonly label: string
  readonly icon: IconName
  readonly tone: BadgeTone
  readonly hint: string
}
