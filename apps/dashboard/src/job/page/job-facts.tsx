import { type AgentJob, findJobEvent, type JobEventRecord } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ExternalLink } from '../../components/external-link.tsx'
import { LiveDuration } from '../../components/live-duration.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { toMoney } from '../../format/amounts.ts'
import { type JobKey, jobSummaryQuery } from '../api/job-queries.ts'
import './job-facts.css'

/** Figures of the job: time, cost, tokens, model, branches. */
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
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
  return (
    <dl className="job-facts">
      <Fact name="Time">{job.startedAt ? <LiveDuration from={job.startedAt} to={job.finishedAt} /> : 'not begun'}</Fact>
      <Fact name="Cost (estimate)">{toMoney(usage.costUsd)}</Fact>
      <Fact name="Tokens">
        <span title={`${toCount(usage.cacheReadTokens)} of the input were read from the cache`}>
          {toCount(input)} in, {toCount(usage.outputTokens)} out
        </span>
      </Fact>
      <Fact name="Turns">{usage.turns}</Fact>
      <Fact name="Model">{job.model}</Fact>
      <Fact name="Repository">
        <ExternalLink href={source.repository}>{source.repository.replace(/^https?:\/\//, '')}</ExternalLink>
      </Fact>
      {base ? <Fact name="Base">{base}</Fact> : null}
      {source.ref ? (
        <Fact name="Branch">
          <span className="mono">{source.ref}</span>
        </Fact>
      ) : null}
      <Fact name="Created">
        <RelativeTime at={job.createdAt} />
        {createdBy ? ` by ${createdBy.kind === 'key' ? 'the key ' : ''}${createdBy.name}` : ''}
      </Fact>
      {job.retryOf ? (
        <Fact name="Retry of">
          <Link to="/projects/$projectId/jobs/$jobId" params={{ projectId, jobId: job.retryOf }}>
            the job before
          </Link>
        </Fact>
      ) : null}
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
    <div className="job-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const COUNT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const toCount = (count: number) => COUNT.format(count)
