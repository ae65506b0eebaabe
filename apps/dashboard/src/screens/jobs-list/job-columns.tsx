import type { DashboardJob } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from '../../components/button.tsx'
import { JobBadge } from '../../components/job-badge.tsx'
import type { Column } from '../../components/table.tsx'
import { RelativeTime, WorkedTime } from '../../components/times.tsx'
import { toJobTitle, toMoney } from '../../format/format.ts'
import { NotifyButton } from '../../shell/watched-jobs/use-watched-jobs.tsx'

export interface JobRowProps {
  readonly job: DashboardJob
  readonly projectId: string
  readonly columns: readonly JobColumn[]
  /** True for the row that the keyboard has selected. */
  readonly isChosen: boolean
  readonly isSelected: boolean
  /** Toggles the selection of the job. Null for users who cannot change jobs. */
  readonly onToggle: ((jobId: string, isRange: boolean) => void) | null
}

/** A column of the job list. */
interface JobColumn extends Column<JobRowProps> {
  /** Returns true if the column has information. Without this, the column is always shown. */
  readonly isUseful?: (jobs: readonly DashboardJob[]) => boolean
}

const MISSING = <span className="muted">–</span>

/**
 * The job list columns. The title has the room: only wide tables show the cost and the model, which the
 * job page also shows.
 */
const JOB_COLUMNS: readonly JobColumn[] = [
  {
    title: 'Status',
    unlabelled: true,
    className: 'job-row-state',
    cell: ({ job, projectId }) => (
      <>
        <JobBadge job={job} />
        {job.status === 'active' ? <NotifyButton projectId={projectId} jobId={job.id} iconOnly /> : null}
      </>
    ),
  },
  {
    title: 'Job',
    unlabelled: true,
    className: 'job-row-title',
    cell: ({ job, projectId }) => (
      <>
        <Link to="/projects/$projectId/jobs/$jobId" params={{ projectId, jobId: job.id }} title={job.prompt} dir="auto">
          {toJobTitle(job)}
        </Link>
        {job.failure ? <span className="job-row-failure muted">{job.failure.message}</span> : null}
      </>
    ),
  },
  {
    title: 'Pull request',
    unlabelled: true,
    className: 'job-row-pull-request',
    isUseful: (jobs) => jobs.some(({ pullRequest }) => pullRequest !== null),
    cell: ({ job: { pullRequest } }) =>
      pullRequest ? <ExternalLink href={pullRequest.url}>#{pullRequest.number}</ExternalLink> : MISSING,
  },
  {
    title: 'Duration',
    numeric: true,
    unlabelled: true,
    className: 'job-row-fact',
    isUseful: (jobs) =>
      jobs.some(({ workedMs, workingSince }) => workingSince !== null || (workedMs !== null && workedMs >= 1_000)),
    cell: ({ job }) => <WorkedTime job={job} />,
  },
  {
    title: 'Cost',
    numeric: true,
    hideBelow: 1100,
    unlabelled: true,
    className: 'job-row-fact',
    tooltip: () => "Estimated from the model's prices",
    isUseful: (jobs) => jobs.some(({ costUsd }) => costUsd !== null && costUsd > 0),
    cell: ({ job: { costUsd } }) => toMoney(costUsd),
  },
  {
    title: 'Model',
    hideBelow: 1100,
    unlabelled: true,
    className: 'job-row-fact job-row-model mono',
    tooltip: ({ job }) => job.model,
    isUseful: (jobs) => new Set(jobs.map(({ model }) => model)).size > 1,
    cell: ({ job }) => job.model,
  },
  {
    title: 'Created',
    unlabelled: true,
    className: 'job-row-age muted',
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

/** Returns the columns that have information about at least one of the jobs. */
export const listUsefulColumns = (jobs: readonly DashboardJob[]): readonly JobColumn[] =>
  JOB_COLUMNS.filter(({ isUseful }) => isUseful?.(jobs) ?? true)
