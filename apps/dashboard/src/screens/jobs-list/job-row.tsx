import type { DashboardJob } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ExternalLink } from '../../components/external-link.tsx'
import { JobBadge } from '../../components/job-badge.tsx'
import { LiveDuration } from '../../components/live-duration.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { toMoney } from '../../format/amounts.ts'
import { toJobTitle } from './to-job-title.ts'

interface Column {
  readonly key: string
  /** The header, and the label of the cell where rows become cards. */
  readonly title: string
  readonly numeric?: boolean
  /** The cell needs no label on a card. */
  readonly unlabelled?: boolean
  readonly className?: string
  readonly tooltip?: (job: DashboardJob) => string
  readonly cell: (job: DashboardJob, projectId: string) => ReactNode
}

/** The columns of the job list, header and cell of each in one place. */
export const JOB_COLUMNS: readonly Column[] = [
  {
    ...{ key: 'status', title: 'Status', unlabelled: true, className: 'job-row-state' },
    cell: (job) => <JobBadge job={job} />,
  },
  {
    ...{ key: 'job', title: 'Job', unlabelled: true, className: 'job-row-title' },
    cell: (job, projectId) => (
      <>
        <Link to="/projects/$projectId/jobs/$jobId" params={{ projectId, jobId: job.id }} title={job.prompt} dir="auto">
          {toJobTitle(job)}
        </Link>
        {job.failure ? <span className="job-row-failure">{job.failure.message}</span> : null}
      </>
    ),
  },
  {
    ...{ key: 'pullRequest', title: 'Pull request' },
    cell: ({ pullRequest }) =>
      pullRequest ? (
        <ExternalLink href={pullRequest.url}>
          #{pullRequest.number} {pullRequest.state}
        </ExternalLink>
      ) : (
        <span className="muted">–</span>
      ),
  },
  {
    ...{ key: 'duration', title: 'Duration', numeric: true },
    cell: ({ startedAt, finishedAt, status }) =>
      startedAt ? (
        <LiveDuration from={startedAt} to={status === 'active' ? null : finishedAt} />
      ) : (
        <span className="muted">–</span>
      ),
  },
  {
    ...{ key: 'cost', title: 'Cost', numeric: true, tooltip: () => 'Estimate, from the prices of the model' },
    cell: ({ costUsd }) => toMoney(costUsd),
  },
  {
    ...{ key: 'model', title: 'Model', className: 'job-row-model mono', tooltip: ({ model }) => model },
    cell: ({ model }) => model,
  },
  {
    ...{ key: 'created', title: 'Created', unlabelled: true, className: 'job-row-age muted' },
    cell: ({ createdAt, createdBy }) => (
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

export interface JobRowProps {
  readonly job: DashboardJob
  readonly projectId: string
  readonly isChosen: boolean
}

export function JobRow({ job, projectId, isChosen }: JobRowProps) {
  return (
    <tr data-testid="job-row" data-job={job.id} data-selected={isChosen ? '' : undefined}>
      {JOB_COLUMNS.map(({ key, title, numeric, unlabelled, className, tooltip, cell }) => (
        <td
          key={key}
          className={className}
          data-label={unlabelled ? undefined : title}
          data-numeric={numeric ? '' : undefined}
          title={tooltip?.(job)}
        >
          {cell(job, projectId)}
        </td>
      ))}
    </tr>
  )
}
