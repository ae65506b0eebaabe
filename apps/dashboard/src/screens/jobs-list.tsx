import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { jobListQuery } from '../api/jobs.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { Icon } from '../components/icon.tsx'
import { Loading } from '../components/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { useRowKeys } from '../keyboard/use-row-keys.ts'
import { useHasRole, useProjectId } from '../shell/use-project.ts'
import { FilterBar } from './jobs-list/filter-bar.tsx'
import { type JobFilter, readJobFilter } from './jobs-list/job-filter.ts'
import { JOB_COLUMNS, JobRow } from './jobs-list/job-row.tsx'
import { NoJobs } from './jobs-list/no-jobs.tsx'
import { useJobUpdates } from './jobs-list/use-job-updates.ts'
import { useLiveAnnouncements } from './jobs-list/use-live-announcements.ts'
import './jobs-list/jobs-list.css'

/** A project's job list, updated live. The filter is stored in the URL. */
export function JobsListScreen() {
  const projectId = useProjectId()
  const filter = readJobFilter(useSearch({ strict: false }))
  const navigate = useNavigate()
  const mayCreate = useHasRole('member')
  const isLive = useJobUpdates(projectId)
  const list = useInfiniteQuery({ ...jobListQuery(projectId, filter), placeholderData: (before) => before })
  const { data, fetchNextPage, isFetching } = list
  const [wantsOlder, setWantsOlder] = useState(false)
  // Starts after a running refetch, because fetching the next page would cancel it.
  useEffect(() => {
    if (!wantsOlder || isFetching) return
    setWantsOlder(false)
    void fetchNextPage()
  }, [wantsOlder, isFetching, fetchNextPage])
  const jobs = useMemo(() => data?.pages.flatMap((page) => page.jobs) ?? [], [data])
  const counts = data?.pages[0]?.counts
  const open = useCallback(
    (index: number) => {
      const jobId = jobs[index]?.id
      if (jobId) void navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId, jobId } })
    },
    [jobs, navigate, projectId],
  )
  const chosen = useRowKeys({ count: jobs.length, noun: 'job', onOpen: open })
  useLiveAnnouncements(
    jobs,
    `${projectId} ${filter.status} ${filter.q} ${data?.pages.length} ${list.isPlaceholderData}`,
  )
  const setFilter = useCallback(
    (search: JobFilter) =>
      void navigate({ to: '/projects/$projectId/jobs', params: { projectId }, search, replace: true }),
    [navigate, projectId],
  )
  const isEmpty = counts !== undefined && Object.values(counts).every((count) => count === 0)
  const isFiltered = filter.status !== undefined || filter.q !== undefined
  return (
    <>
      <PageHeader
        title="Jobs"
        aside={
          isLive ? null : (
            <Badge icon="turning" tone="warn" hint="Updates resume when the connection is restored.">
              Reconnecting
            </Badge>
          )
        }
        actions={
          mayCreate ? (
            <Link className="button" data-variant="primary" to="/projects/$projectId/jobs/new" params={{ projectId }}>
              <Icon name="plus" />
              New job
            </Link>
          ) : null
        }
      />
      {list.error ? <ErrorNote error={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.isPending ? <Loading label="Loading jobs" /> : null}
      {isEmpty && !isFiltered ? <NoJobs projectId={projectId} /> : null}
      {counts && (!isEmpty || isFiltered) ? (
        <>
          <FilterBar filter={filter} counts={counts} onFilter={setFilter} />
          <div className="panel jobs-list">
            {jobs.length > 0 ? (
              <Table label="Jobs" columns={JOB_COLUMNS}>
                {jobs.map((job, index) => (
                  <JobRow key={job.id} job={job} projectId={projectId} isChosen={index === chosen} />
                ))}
              </Table>
            ) : (
              <p className="jobs-list-none muted">
                {list.hasNextPage ? 'None of the newer jobs match this filter.' : 'No jobs match this filter.'}{' '}
                <Button variant="quiet" onClick={() => setFilter({})}>
                  Show all
                </Button>
              </p>
            )}
          </div>
          {list.hasNextPage ? (
            <p className="jobs-list-more">
              <Button busy={wantsOlder || list.isFetchingNextPage} onClick={() => setWantsOlder(true)}>
                Show older jobs
              </Button>
            </p>
          ) : null}
        </>
      ) : null}
    </>
  )
}
