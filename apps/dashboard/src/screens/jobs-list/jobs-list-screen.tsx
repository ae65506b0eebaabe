import { OPEN_STATES } from '@corrigenda/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useConnection } from '../../api/connection.ts'
import { jobListQuery } from '../../api/jobs.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Icon } from '../../components/icon.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { toCount } from '../../format/format.ts'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { FilterBar } from './filter-bar.tsx'
import { ALL_JOBS, isFirstView, type JobFilter, listStates, readJobFilter, toJobListFilter } from './job-filter.ts'
import { JobsTable } from './jobs-table.tsx'
import { NoJobs } from './no-jobs.tsx'
import { useLiveAnnouncements } from './use-live-announcements.ts'
import './jobs-list.css'

/** A project's job list, updated live. The filter is stored in the URL. */
export function JobsListScreen() {
  const projectId = useProjectId()
  return <JobsList key={projectId} projectId={projectId} />
}

function JobsList({ projectId }: { projectId: string }) {
  const filter = readJobFilter(useSearch({ strict: false }))
  const navigate = useNavigate()
  const mayCreate = useHasRole('member')
  const isConnected = useConnection()
  const list = useInfiniteQuery(jobListQuery(projectId, toJobListFilter(filter)))
  const { fetchNextPage, isFetching } = list
  const [wantsOlder, setWantsOlder] = useState(false)
  // Starts after a running refetch, because fetching the next page would cancel it.
  useEffect(() => {
    if (!wantsOlder || isFetching) return
    setWantsOlder(false)
    void fetchNextPage()
  }, [wantsOlder, isFetching, fetchNextPage])
  // The last list stays until the list of a new filter has loaded, also if that fails.
  const last = useRef(list.data)
  if (list.data) last.current = list.data
  const data = list.data ?? last.current
  const isStale = list.data === undefined && data !== undefined
  const jobs = useMemo(() => data?.pages.flatMap((page) => page.jobs) ?? [], [data])
  const counts = data?.pages[0]?.counts ?? null
  const isCountExact = data?.pages[0]?.isCountExact ?? false
  useLiveAnnouncements(jobs, `${projectId} ${JSON.stringify(filter)} ${data?.pages.length} ${isStale}`)
  const setFilter = useCallback(
    (search: JobFilter) =>
      void navigate({ to: '/projects/$projectId/jobs', params: { projectId }, search, replace: true }),
    [navigate, projectId],
  )
  const isEmpty = counts !== null && isCountExact && Object.values(counts).every((count) => count === 0)
  const isFiltered = !isFirstView(filter)
  const states = isFiltered ? listStates(filter.status) : OPEN_STATES
  const total = counts && Object.entries(counts).reduce((sum, [name, n]) => sum + (isShown(states, name) ? n : 0), 0)
  return (
    <>
      <PageHeader
        title="Jobs"
        actions={
          mayCreate ? (
            <Link className="button" data-variant="primary" to="/projects/$projectId/jobs/new" params={{ projectId }}>
              <Icon name="plus" />
              New job
            </Link>
          ) : null
        }
      />
      {list.error && (isConnected || !data) ? (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      ) : null}
      {list.isPending && !data ? <Loading label="Loading jobs" /> : null}
      {isEmpty && !isFiltered && !isStale ? <NoJobs projectId={projectId} /> : null}
      {data && (!isEmpty || isFiltered || isStale) ? (
        <>
          <FilterBar filter={filter} counts={counts} isCountExact={isCountExact} onFilter={setFilter} />
          {isStale && !isConnected ? (
            <p className="jobs-list-stale muted">The list shows the previous filter until the service responds.</p>
          ) : null}
          <div aria-busy={isStale}>
            {jobs.length > 0 ? (
              <JobsTable projectId={projectId} jobs={jobs} />
            ) : (
              <p className="panel jobs-list-none muted">
                {list.hasNextPage
                  ? 'None of the newer jobs match this filter.'
                  : isFiltered
                    ? 'No jobs match this filter.'
                    : 'No job needs a person or a worker.'}{' '}
                <Button variant="quiet" onClick={() => setFilter(ALL_JOBS)}>
                  Show all
                </Button>
              </p>
            )}
            <p className="jobs-list-more cluster gap-3 muted">
              {total !== null && jobs.length > 0 ? (
                <span>
                  {toCount(jobs.length)} of {toCount(total, isCountExact)}{' '}
                  {total === 1 && isCountExact ? 'job' : 'jobs'}
                </span>
              ) : null}
              {list.hasNextPage ? (
                <Button busy={wantsOlder || list.isFetchingNextPage} onClick={() => setWantsOlder(true)}>
                  Show older jobs
                </Button>
              ) : null}
            </p>
          </div>
        </>
      ) : null}
    </>
  )
}

const isShown = (states: readonly string[], state: string) => states.length === 0 || states.includes(state)
