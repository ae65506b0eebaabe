import { type AgentJob, findJobEvent, type JobEventRecord, REHEARSAL_CAN_DO, toFilesUrl } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { modelsQuery } from '../../api/new-job.ts'
import { useGitHosts } from '../../api/session.ts'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { Button, ExternalLink } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { RelativeTime, WorkedTime } from '../../components/times.tsx'
import { toMoney } from '../../format/format.ts'
import { ConnectModel } from '../../shell/connect-model.tsx'
import { ExamplePrompts } from '../../shell/example-prompts.tsx'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { type JobKey, jobSummaryQuery } from '../api/job-queries.ts'
import { SafeMarkdown } from '../transcript/markdown.tsx'

/** The job's details: one line of facts, and all of them after a click. */
export function JobFacts({
  job,
  events,
  jobKey,
}: {
  job: AgentJob
  events: readonly JobEventRecord[]
  jobKey: JobKey
}) {
  const [isOpen, setOpen] = useState(false)
  const createdBy = useQuery(jobSummaryQuery(jobKey)).data?.createdBy
  const { usage, source } = job
  return (
    <>
      <p className="job-line cluster gap-3 muted">
        <ExternalLink href={source.repository}>{source.repository.replace(/^https?:\/\/[^/]+\//, '')}</ExternalLink>
        <span>{job.model}</span>
        {usage.costUsd ? <span title="Estimated cost">{toMoney(usage.costUsd)}</span> : null}
        {job.startedAt ? (
          <span title="Duration">
            <WorkedTime job={job} />
          </span>
        ) : null}
        <span>
          <RelativeTime at={job.createdAt} />
          {createdBy ? ` by ${createdBy.kind === 'key' ? 'API key ' : ''}${createdBy.name}` : ''}
        </span>
        <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Details
        </Button>
      </p>
      {isOpen ? <AllFacts job={job} events={events} jobKey={jobKey} /> : null}
    </>
  )
}

function AllFacts({ job, events, jobKey }: { job: AgentJob; events: readonly JobEventRecord[]; jobKey: JobKey }) {
  const { usage, source, sources, metadata, retryOf } = job
  const { projectId } = jobKey
  const gitHosts = useGitHosts()
  const base = events.map(findJobEvent).findLast((event) => event?.type === 'checkout.ready')?.data.baseBranch
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
  return (
    <dl className="job-facts">
      <Fact name="Estimated cost">{toMoney(usage.costUsd)}</Fact>
      <Fact name="Tokens">
        <span title={`${toShortCount(usage.cacheReadTokens)} input tokens read from cache`}>
          {toShortCount(input)} in, {toShortCount(usage.outputTokens)} out
        </span>
      </Fact>
      <Fact name="Turns">{usage.turns}</Fact>
      {base ? <Fact name="Base branch">{base}</Fact> : null}
      {source.ref ? (
        <Fact name="Branch">
          <span className="mono job-fact-branch" title={source.ref}>
            {shorten(source.ref)}
          </span>
          <CopyButton text={source.ref} label={`Copy branch ${source.ref}`} iconOnly variant="quiet" />
        </Fact>
      ) : null}
      {sources.length === 0 ? null : (
        <Fact name="Sources">
          {sources.map((one) => (
            <div key={one.name}>
              {one.name} at{' '}
              <ExternalLink href={toFilesUrl(one.repository, one.commit, gitHosts)}>
                {one.commit.slice(0, 7)}
              </ExternalLink>
              {one.ref === null ? null : ` (${one.ref})`}
              {one.note === null ? null : `. ${one.note}`}
            </div>
          ))}
        </Fact>
      )}
      {retryOf ? (
        <Fact name="Retry of">
          <Link to="/projects/$projectId/jobs/$jobId" params={{ projectId, jobId: retryOf }}>
            original job
          </Link>
        </Fact>
      ) : null}
      {Object.entries(metadata).map(([name, value]) => (
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
const toShortCount = (count: number) => COUNT.format(count)

interface OutcomeProps {
  readonly job: AgentJob
  /** Writes an answer to the agent's question, but does not send it. Undefined if the user may not answer. */
  readonly onAnswer: ((text: string) => void) | undefined
}

/** The job's outcome and its pull request: the summary, question or failure, and one button for the review. */
export function Outcome({ job, onAnswer }: OutcomeProps) {
  const { summary, failure, pullRequest } = job
  const isEnded = job.status !== 'active'
  const hasFailed = isEnded && failure !== null && job.outcome !== 'cancelled'
  const isQuestion = isEnded && job.outcome === 'needs_input'
  const text = isEnded && !hasFailed ? summary : null
  if (isQuestion && text?.includes(REHEARSAL_CAN_DO)) {
    return <RehearsalNote job={job} summary={text} onAnswer={onAnswer} />
  }
  if (!hasFailed && !text && !pullRequest) return null
  return (
    <section
      className="outcome"
      data-tone={hasFailed ? 'bad' : isQuestion ? 'warn' : 'plain'}
      aria-label={hasFailed ? 'Failure' : isQuestion ? 'The agent has a question' : 'Outcome'}
      data-testid={isQuestion ? 'question' : undefined}
    >
      <Icon name={hasFailed ? 'failed' : isQuestion ? 'question' : pullRequest ? 'branch' : 'check'} />
      <div className="grow">
        {isQuestion ? <h2>The agent has a question</h2> : null}
        {hasFailed ? (
          <>
            <p className="outcome-message">{failure.message}</p>
            <p className="muted mono">{failure.code}</p>
          </>
        ) : null}
        {text ? (
          // The keyboard must reach a region that scrolls.
          <div className="outcome-summary" tabIndex={isQuestion ? undefined : 0}>
            <SafeMarkdown text={text} />
          </div>
        ) : null}
      </div>
      {pullRequest ? <PullRequestPart job={job} pullRequest={pullRequest} /> : null}
    </section>
  )
}

type PullRequest = NonNullable<AgentJob['pullRequest']>
type State = { readonly label: string; readonly icon: IconName; readonly tone: BadgeTone }

const CHECKS: Readonly<Record<NonNullable<PullRequest['checks']>, State>> = {
  pending: { label: 'Checks running', icon: 'ring', tone: 'muted' },
  passed: { label: 'Checks passed', icon: 'check', tone: 'ok' },
  failed: { label: 'Checks failed', icon: 'failed', tone: 'bad' },
}

const DEPLOYMENTS: Readonly<Record<NonNullable<AgentJob['deployment']>['status'], State>> = {
  queued: { label: 'Deployment queued', icon: 'ring', tone: 'muted' },
  in_progress: { label: 'Deploying', icon: 'turning', tone: 'accent' },
  success: { label: 'Deployed', icon: 'check', tone: 'ok' },
  failure: { label: 'Deployment failed', icon: 'failed', tone: 'bad' },
}

/** The pull request's link, which is the page's primary action while it is open, and its states. */
function PullRequestPart({ job: { deployment }, pullRequest }: { job: AgentJob; pullRequest: PullRequest }) {
  const { number, url, state, draft, checks } = pullRequest
  const isOpen = state === 'open'
  return (
    <div className="pull-request cluster" data-testid="pull-request">
      {draft && isOpen ? <StateBadge state={{ label: 'Draft', icon: 'branch', tone: 'muted' }} /> : null}
      {checks ? <StateBadge state={CHECKS[checks]} /> : null}
      {deployment ? <StateBadge state={DEPLOYMENTS[deployment.status]} /> : null}
      {deployment?.url ? <ExternalLink href={deployment.url}>View workflow run</ExternalLink> : null}
      <ExternalLink href={url} button={isOpen ? 'primary' : 'plain'}>
        {isOpen ? `Review #${number}` : `Pull request #${number}`}
        <Icon name="arrow" />
      </ExternalLink>
    </div>
  )
}

function StateBadge({ state: { label, ...rest } }: { state: State }) {
  return <Badge {...rest}>{label}</Badge>
}

interface RehearsalNoteProps {
  readonly job: AgentJob
  readonly summary: string
  /** As in `OutcomeProps`. */
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
