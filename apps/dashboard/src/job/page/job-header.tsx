import { type AgentJob, type JobEventRecord, type TranscriptPage, toJobState } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { copyText } from '../../components/copy-button.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { JOB_STATE_FACTS, JobBadge } from '../../components/job-badge.tsx'
import { Menu } from '../../components/menu.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMedia } from '../../components/use-media.ts'
import { toMoney } from '../../format/format.ts'
import { useHasRole } from '../../shell/use-project.ts'
import { NotifyButton } from '../../shell/watched-jobs/use-watched-jobs.tsx'
import type { JobKey } from '../api/job-queries.ts'
import { JobActions } from './job-actions.tsx'
import { JobFacts } from './job-facts.tsx'
import { toPlaceLink } from './job-place.ts'
import { toFirstWords } from './to-first-words.ts'

interface JobHeaderProps {
  readonly jobKey: JobKey
  readonly job: AgentJob
  /** The first prompt, or its start until the transcript is loaded. */
  readonly prompt: string
  readonly events: readonly JobEventRecord[]
  readonly transcript: TranscriptPage | undefined
  readonly onWalk: (step: 1 | -1) => void
}

/** The job's prompt, state, actions and details. */
export function JobHeader({ jobKey, job, prompt, events, transcript, onWalk }: JobHeaderProps) {
  const mayWrite = useHasRole('member')
  const isNarrow = useMedia('(max-width: 640px)')
  const facts = <JobFacts job={job} events={events} jobKey={jobKey} />
  return (
    <header className="job-header stack gap-3">
      <div className="job-header-bar spread">
        <Link to="/projects/$projectId/jobs" params={{ projectId: jobKey.projectId }}>
          All jobs
        </Link>
        <div className="cluster">
          <CopyMenu job={job} prompt={prompt} />
          <Button variant="quiet" onClick={() => onWalk(-1)}>
            Newer job
          </Button>
          <Button variant="quiet" onClick={() => onWalk(1)}>
            Older job
          </Button>
        </div>
      </div>
      <div className="spread top gap-3">
        <Prompt text={prompt} />
        <div className="cluster gap-3">
          <JobBadge job={job} />
          {job.status === 'active' ? <NotifyButton {...jobKey} /> : null}
          {mayWrite ? <JobActions jobKey={jobKey} job={job} /> : null}
        </div>
      </div>
      <FollowUps transcript={transcript} />
      {isNarrow ? (
        <Disclosure title="Details" detail={`${job.model}, ${toMoney(job.usage.costUsd)}`}>
          {facts}
        </Disclosure>
      ) : (
        facts
      )}
    </header>
  )
}

/** Until the transcript is loaded, the prompt has at most this length. */
const SHORT = 300

function Prompt({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const first = toFirstWords(text)
  const isLong = text.length >= SHORT
  const rest = text.slice(first.length).trim()
  return (
    <div className="job-prompt">
      <h1 dir="auto">{first || 'Job'}</h1>
      {rest === '' ? null : (
        <p className="job-prompt-rest" dir="auto" data-clamped={(isLong && !isWhole) || undefined}>
          {isLong && !isWhole ? rest.slice(0, SHORT * 2) : rest}
        </p>
      )}
      {isLong ? (
        <Button variant="quiet" aria-expanded={isWhole} onClick={() => setWhole((whole) => !whole)}>
          {isWhole ? 'Show less' : 'Show full prompt'}
        </Button>
      ) : null}
    </div>
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

/** Copies the job's link, its id, or its text as Markdown. */
function CopyMenu({ job, prompt }: { job: AgentJob; prompt: string }) {
  const toast = useToast()
  const copy = async (what: string, text: string) => {
    if (await copyText(text)) toast(`${what} copied.`)
    else toast('The browser blocked copying.', 'bad')
  }
  return (
    <Menu
      trigger={
        <Button variant="quiet" icon="copy">
          Copy
        </Button>
      }
      entries={[
        { label: 'Copy link', onSelect: () => void copy('Link', toPlaceLink({})) },
        { label: 'Copy job ID', onSelect: () => void copy('Job ID', job.id) },
        {
          label: 'Copy as Markdown',
          onSelect: () => void copy('Markdown', toJobMarkdown(job, prompt, toPlaceLink({}))),
        },
      ]}
    />
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
