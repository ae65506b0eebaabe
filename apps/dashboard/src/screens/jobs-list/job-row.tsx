import type { DashboardJob } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from '../../components/external-link.tsx'
import { JobChip } from '../../components/job-chip.tsx'
import { LiveDuration } from '../../components/live-duration.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { toMoney } from '../../format/amounts.ts'
import { toJobTitle } from './to-job-title.ts'

export interface JobRowProps {
  readonly job: DashboardJob
  readonly projectId: string
  readonly isChosen: boolean
}

export function JobRow({ job, projectId, isChosen }: JobRowProps) {
  const { id, prompt, failure, pullRequest, startedAt, finishedAt, createdBy } = job
  return (
    <tr data-testid="job-row" data-job={id} data-selected={isChosen ? '' : undefined}>
      <td className="job-row-state">
        <JobChip job={job} />
      </td>
      <td className="job-row-title">
        <Link to="/projects/$projectId/jobs/$jobId" params={{ projectId, jobId: id }} title={prompt} dir="auto">
          {toJobTitle(job)}
        </Link>
        {failure ? <span className="job-row-failure">{failure.message}</span> : null}
      </td>
      <td data-label="Pull request">
        {pullRequest ? (
          <ExternalLink href={pullRequest.url}>
            #{pullRequest.number} {pullRequest.state}
          </ExternalLink>
        ) : (
          <span className="muted">–</span>
        )}
      </td>
      <td data-label="Duration" data-numeric="">
        {startedAt ? (
          <LiveDuration from={startedAt} to={job.status === 'active' ? null : finishedAt} />
        ) : (
          <span className="muted">–</span>
        )}
      </td>
      <td data-label="Cost" data-numeric="" title="Estimate, from the prices of the model">
        {toMoney(job.costUsd)}
      </td>
      <td data-label="Model" className="job-row-model mono" title={job.model}>
        {job.model}
      </td>
      <td className="job-row-age muted">
        <RelativeTime at={job.createdAt} />{' '}
        {createdBy ? (
          <span className="job-row-maker" title={createdBy.name}>
            by {createdBy.name}
          </span>
        ) : null}
      </td>
    </tr>
  )
}
