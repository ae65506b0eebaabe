import { type AgentJob, findJobEvent, type JobEventRecord, REHEARSAL_CAN_DO } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { modelsQuery } from '../../api/new-job.ts'
import { ExternalLink } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Icon } from '../../components/icon.tsx'
import { RelativeTime, WorkedTime } from '../../components/times.tsx'
import { toMoney } from '../../format/format.ts'
import { ConnectModel } from '../../shell/connect-model.tsx'
import { ExamplePrompts } from '../../shell/example-prompts.tsx'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { type JobKey, jobSummaryQuery } from '../api/job-queries.ts'
import { SafeMarkdown } from '../transcript/markdown.tsx'

/** The job's details, such as duration, cost, tokens, model and branches. */
export function JobFacts({
  job,
  events,
  jobKey,
}: {
  job: AgentJob
  events: readonly JobEventRecord[]
  jobKey: JobKey
}) {
  const { projectId } = jobKey
  const createdBy = useQuery(jobSummaryQuery(jobKey)).data?.createdBy
  const { usage, source } = job
  const base = events.map(findJobEvent).findLast((event) => event?.type === 'checkout.ready')?.data.baseBranch
  // Keeps the place of the base branch while the events are loading.
  const shownBase = base ?? (job.startedAt && events.length === 0 ? '…' : null)
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
  return (
    <dl className="job-facts">
      <Fact name="Duration">{job.startedAt ? <WorkedTime job={job} /> : 'Not started'}</Fact>
      <Fact name="Estimated cost">{toMoney(usage.costUsd)}</Fact>
      <Fact name="Tokens">
        <span title={`${toCount(usage.cacheReadTokens)} input tokens read from cache`}>
          {toCount(input)} in, {toCount(usage.outputTokens)} out
        </span>
      </Fact>
      <Fact name="Turns">{usage.turns}</Fact>
      <Fact name="Model">{job.model}</Fact>
      <Fact name="Repository">
        <ExternalLink href={source.repository}>{source.repository.replace(/^https?:\/\//, '')}</ExternalLink>
      </Fact>
      {source.ref ? (
        <Fact name="Branch">
          <span className="mono job-fact-branch" title={source.ref}>
            {shorten(source.ref)}
          </span>
          <CopyButton text={source.ref} label={`Copy branch ${source.ref}`} iconOnly variant="quiet" />
        </Fact>
      ) : null}
      {job.sources.length === 0 ? null : (
        <Fact name="Sources">
          {job.sources.map((one) => (
            <div key={one.name}>
              {one.name} at{' '}
              <ExternalLink href={`${one.repository}/tree/${one.commit}`}>{one.commit.slice(0, 7)}</ExternalLink>
              {one.ref === null ? null : ` (${one.ref})`}
              {one.note === null ? null : `. ${one.note}`}
            </div>
          ))}
        </Fact>
      )}
      <Fact name="Created">
        <RelativeTime at={job.createdAt} />
        {createdBy ? ` by ${createdBy.kind === 'key' ? 'API key ' : ''}${createdBy.name}` : ''}
      </Fact>
      {job.retryOf ? (
        <Fact name="Retry of">
          <Link to="/projects/$projectId/jobs/$jobId" params={{ projectId, jobId: job.retryOf }}>
            original job
          </Link>
        </Fact>
      ) : null}
      {shownBase ? <Fact name="Base branch">{shownBase}</Fact> : null}
      {Object.entries(job.metadata).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="job-fact breakable">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Shortens a branch that contains the job's id. Its end distinguishes jobs. */
const shorten = (branch: string): string => branch.replace(/(job_[0-9a-z]{4})[0-9a-z]{16,}([0-9a-z]{6})/, '$1…$2')

const COUNT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const toCount = (count: number) => COUNT.format(count)

interface OutcomeNoteProps {
  readonly job: AgentJob
  /** Writes an answer to the agent's question, but does not send it. Undefined if the user may not answer. */
  readonly onAnswer: ((text: string) => void) | undefined
}

/** The job's outcome: the agent's summary or question, or the failure message. */
export function OutcomeNote({ job, onAnswer }: OutcomeNoteProps) {
  if (job.status === 'active') return null
  if (job.failure && job.outcome !== 'cancelled') {
    return (
      <section className="outcome" data-tone="bad" aria-label="Failure">
        <Icon name="failed" />
        <div>
          <p className="outcome-message">{job.failure.message}</p>
          <p className="muted mono">{job.failure.code}</p>
        </div>
      </section>
    )
  }
  if (!job.summary) return null
  const isQuestion = job.outcome === 'needs_input'
  if (isQuestion && job.summary.includes(REHEARSAL_CAN_DO)) {
    return <RehearsalNote job={job} summary={job.summary} onAnswer={onAnswer} />
  }
  return (
    <section
      className="outcome"
      data-tone={isQuestion ? 'warn' : 'plain'}
      aria-label={isQuestion ? 'The agent has a question' : 'Summary'}
      data-testid={isQuestion ? 'question' : undefined}
    >
      <Icon name={isQuestion ? 'question' : 'check'} />
      <div>
        {isQuestion ? <h2>The agent has a question</h2> : null}
        <SafeMarkdown text={job.summary} />
      </div>
    </section>
  )
}

interface RehearsalNoteProps {
  readonly job: AgentJob
  readonly summary: string
  /** As in `OutcomeNoteProps`. */
  readonly onAnswer: ((text: string) => void) | undefined
}

/** The question with which the demo's scripted model ends a request that it does not recognize. */
function RehearsalNote({ job, summary, onAnswer }: RehearsalNoteProps) {
  const { data: models } = useQuery({ ...modelsQuery(useProjectId()), enabled: useHasRole('member') })
  // The examples that follow are shown as buttons.
  const [reason = ''] = summary.split(REHEARSAL_CAN_DO)
  const isReplaced = models !== undefined && models.default !== job.model
  return (
    <section className="outcome" data-tone="warn" aria-label="Question" data-testid="question">
      <Icon name="question" />
      <div>
        <h2>The rehearsal model cannot do this</h2>
        {isReplaced ? (
          <p>A real model is connected now. Select Retry to run this job with {models.default}.</p>
        ) : (
          <>
            <SafeMarkdown text={reason} />
            <ExamplePrompts
              title={onAnswer ? 'Answer with one of these' : 'The rehearsal model can do these'}
              onChoose={onAnswer}
            />
            <h2>Use a real model</h2>
            <ConnectModel />
          </>
        )}
      </div>
    </section>
  )
}
