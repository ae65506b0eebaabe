import type { AgentJob, JobEventRecord, TranscriptPage } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { JobBadge } from '../../components/job-badge.tsx'
import { toJobTitle } from '../../format/format.ts'
import { NotifyButton } from '../../shell/watched-jobs/use-watched-jobs.tsx'
import type { JobKey } from '../api/job-queries.ts'
import { JobActions } from './job-actions.tsx'
import { JobFacts } from './job-facts.tsx'

interface JobHeaderProps {
  readonly jobKey: JobKey
  readonly job: AgentJob
  /** The first prompt, or its start until the transcript is loaded. */
  readonly prompt: string
  readonly events: readonly JobEventRecord[]
  readonly transcript: TranscriptPage | undefined
  readonly onWalk: (step: 1 | -1) => void
}

/** The job's title, state, actions, prompts and details. */
export function JobHeader({ jobKey, job, prompt, events, transcript, onWalk }: JobHeaderProps) {
  const title = toJobTitle({ id: job.id, title: job.title, prompt })
  return (
    <header className="job-header stack gap-2">
      <div className="job-header-bar spread">
        <Link to="/projects/$projectId/jobs" params={{ projectId: jobKey.projectId }}>
          All jobs
        </Link>
        <div className="cluster">
          {job.status === 'active' ? <NotifyButton {...jobKey} /> : null}
          <Button variant="quiet" icon="up" iconOnly onClick={() => onWalk(-1)}>
            Newer job
          </Button>
          <Button variant="quiet" icon="down" iconOnly onClick={() => onWalk(1)}>
            Older job
          </Button>
          <JobActions jobKey={jobKey} job={job} prompt={prompt} />
        </div>
      </div>
      <div className="cluster gap-3">
        <h1 className="job-title" dir="auto" title={title}>
          {title}
        </h1>
        <JobBadge job={job} />
      </div>
      {prompt.trim() === title ? null : <Prompt text={prompt.trim()} />}
      <FollowUps transcript={transcript} />
      <JobFacts job={job} events={events} jobKey={jobKey} />
    </header>
  )
}

/** A prompt with at most this length and no line breaks is shown in full. */
const SHORT = 120

/** The prompt as a quote of one line, which can be expanded. */
function Prompt({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > SHORT || text.includes('\n')
  return (
    <blockquote className="job-prompt" data-clamped={(isLong && !isWhole) || undefined}>
      <p dir="auto">{text}</p>
      {isLong ? (
        <Button variant="quiet" aria-expanded={isWhole} onClick={() => setWhole((whole) => !whole)}>
          {isWhole ? 'Show less' : 'Show full prompt'}
        </Button>
      ) : null}
    </blockquote>
  )
}

/** The job's follow-up messages. */
function FollowUps({ transcript }: Pick<JobHeaderProps, 'transcript'>) {
  const messages = transcript?.messages ?? []
  if (messages.length === 0) return null
  return (
    <ol className="job-follow-ups" aria-label="Follow-ups">
      {messages.map(({ id, prompt, takenAt, droppedAt }) => (
        <li key={id}>
          <span className="job-follow-up-text clamp" dir="auto">
            {prompt}
          </span>
          {droppedAt ? <span className="muted"> (not delivered: cancellation requested)</span> : null}
          {takenAt || droppedAt ? null : <span className="muted"> (pending)</span>}
        </li>
      ))}
    </ol>
  )
}
