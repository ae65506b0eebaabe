import { type AgentJob, findJobEvent, type JobEventRecord } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { ExternalLink } from '../../components/external-link.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { WorkedTime } from '../../components/worked-time.tsx'
import { toMoney } from '../../format/amounts.ts'
import { type JobKey, jobSummaryQuery } from '../api/job-queries.ts'

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
