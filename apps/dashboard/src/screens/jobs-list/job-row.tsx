import type { DashboardJob } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from '../../components/external-link.tsx'
import { JobBadge } from '../../components/job-badge.tsx'
import { LiveDuration } from '../../components/live-duration.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Cells, type Column } from '../../components/table.tsx'
import { toMoney } from '../../format/amounts.ts'
import { toJobTitle } from './to-job-title.ts'

export interface JobRowProps {
  readonly job: DashboardJob
  readonly projectId: string
  readonly isChosen: boolean
}

/** The job list columns. Narrow tables hide the cost and model, which the job page also shows. */
export const JOB_COLUMNS: readonly Column<JobRowProps>[] = [
  {
    ...{ title: 'Status', unlabelled: true, className: 'job-row-state' },
    cell: ({ job }) => <JobBadge job={job} />,
  },
  {
    ...{ title: 'Job', unlabelled: true, className: 'job-row-title' },
    cell: ({ job, projectId }) => (
      <>
        <Link to="/projects/$projectId/jobs/$jobId" params={{ projectId, jobId: job.id }} title={job.prompt} dir="auto">
          {toJobTitle(job)}
        </Link>
        {job.failure ? <span className="job-row-failure">{job.failure.message}</span> : null}
      </>
    ),
  },
  {
    ...{ title: 'Pull request' },
    cell: ({ job: { pullRequest } }) =>
      pullRequest ? (
        <ExternalLink href={pullRequest.url}>
          #{pullRequest.number} {pullRequest.state}
        </ExternalLink>
      ) : (
        <span className="muted">–</span>
      ),
  },
  {
    ...{ title: 'Duration', numeric: true },
    cell: ({ job: { startedAt, finishedAt, status } }) =>
      startedAt ? (
        <LiveDuration from={startedAt} to={status === 'active' ? null : finishedAt} />
      ) : (
        <span className="muted">–</span>
      ),
  },
  {
    ...{ title: 'Cost', numeric: true, hideBelow: 840, tooltip: () => "Estimated from the model's prices" },
    cell: ({ job: { costUsd } }) => toMoney(costUsd),
  },
  {
    ...{ title: 'Model', hideBelow: 840, className: 'job-row-model mono', tooltip: ({ job }) => job.model },
    cell: ({ job }) => job.model,
  },
  {
    ...{ title: 'Created', unlabelled: true, className: 'job-row-age muted' },
    cell: ({ job: { createdAt, createdBy } }) => (
      <>
        <RelativeTime at={createdAt} />{' '}
        {createdBy ? (
          <span className="job-row-maker" title={createdBy.name}>
            by {createdBy.name}
          </span>
        ) : null}
      </>
    ),
  },
]

export function JobRow(props: JobRowProps) {
  return (
    <tr data-testid="job-row" data-job={props.job.id} data-selected={props.isChosen ? '' : undefined}>
      <Cells columns={JOB_COLUMNS} row={props} />
    </tr>
  )
}
