import { type AgentJob, toJobState } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { JOB_STATE_FACTS } from '../../components/job-state.ts'
import { Loading } from '../../components/loading.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useMedia } from '../../components/use-media.ts'
import { useHasRole } from '../../shell/use-project.ts'
import { changesQuery, type JobKey, jobSummaryQuery, transcriptQuery } from '../api/job-queries.ts'
import { ChangesTab } from '../changes/changes-tab.tsx'
import { type FileRange, formatRange } from '../changes/line-range.ts'
import { useDiffView } from '../changes/use-diff-view.ts'
import { useJobEvents } from '../events/use-job-events.ts'
import { FollowUpBox } from '../follow-up/follow-up-box.tsx'
import { useJobMemory } from '../memory/use-job-memory.ts'
import { isProse } from '../prose/build-prose.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { TranscriptTab } from '../transcript/transcript-tab.tsx'
import { ChecksTab } from './checks-tab.tsx'
import { JobHeader } from './job-header.tsx'
import { type JobPlace, type JobTab, readJobPlace } from './job-place.ts'
import { OutcomeNote } from './outcome-note.tsx'
import { PullRequestCard } from './pull-request-card.tsx'
import { toFirstWords } from './to-first-words.ts'
import { useJobWalk } from './use-job-walk.ts'
import { useStateAnnouncement } from './use-state-announcement.ts'
import { useTabTitle } from './use-tab-title.ts'
import './job-page.css'

/** The job page, updated live. Each part appears as soon as its data is loaded. */
export function JobPage({ jobKey, job }: { jobKey: JobKey; job: AgentJob }) {
  const { events, state } = useJobEvents(jobKey, job)
  const transcript = useQuery(transcriptQuery(jobKey))
  const changes = useQuery(changesQuery(jobKey))
  const summary = useQuery(jobSummaryQuery(jobKey))
  const mayWrite = useHasRole('member')
  const memory = useJobMemory(job.id)
  const [place, setPlace] = useJobPlace()
  const [target, setTarget] = useState(place)
  const diffView = useDiffView()
  const walk = useJobWalk(jobKey)
  const jobState = toJobState(job)
  const prompt = transcript.data?.runs[0]?.prompt ?? summary.data?.prompt ?? job.title ?? ''
  useTabTitle(toFirstWords(prompt) || 'Job', jobState)
  useStateAnnouncement(JOB_STATE_FACTS[jobState].label)
  const files = changes.data?.files ?? []
  const hasChanges = files.length > 0 || job.outcome === 'changed'
  const tab =
    place.tab ?? (place.file !== undefined || (job.status !== 'active' && hasChanges) ? 'changes' : 'transcript')
  const isBeside = tab === 'changes' && diffView.view === 'both' && files.some(({ path }) => isProse(path))
  const isNarrow = useMedia('(max-width: 960px)')
  const isWide = useMedia('(min-width: 1500px)')
  const isFolded = isNarrow || (isBeside && !isWide)
  const [treePlace, setTreePlace] = useState<HTMLElement | null>(null)
  const showLines = useCallback(
    (range: FileRange) => {
      const next = { tab: 'changes', file: range.path, line: formatRange(range) } as const
      setPlace(next)
      setTarget(next)
    },
    [setPlace],
  )
  const newIssues = job.checks.reduce((sum, check) => sum + check.introduced, 0)
  const isLoading = events.length === 0 && (state === 'connecting' || state === 'live')
  return (
    <div className="job-page">
      <JobHeader jobKey={jobKey} job={job} prompt={prompt} events={events} transcript={transcript.data} onWalk={walk} />
      <div className="job-notes">
        <OutcomeNote job={job} onAnswer={mayWrite ? memory.setText : undefined} />
        <PullRequestCard job={job} />
      </div>
      <div className="job-body" data-folded={isFolded || undefined}>
        {isFolded ? (
          <Disclosure title="Timeline" detail={isLoading ? '' : JOB_STATE_FACTS[jobState].label}>
            <Timeline events={events} state={state} />
          </Disclosure>
        ) : (
          <aside className="job-side">
            {isLoading ? <Loading label="Loading timeline" /> : <Timeline events={events} state={state} />}
            <div ref={setTreePlace} className="job-side-tree" />
          </aside>
        )}
        <div className="grow">
          <Tabs<JobTab>
            label="Job details"
            value={tab}
            onValue={(next) => setPlace({ tab: next })}
            tabs={[
              {
                id: 'changes',
                title: 'Changes',
                ...(files.length > 0 ? { count: files.length } : {}),
                content: changes.data ? (
                  <ChangesTab
                    {...{ job, memory, diffView, place, setPlace, target }}
                    changes={changes.data}
                    treePlace={isFolded ? null : treePlace}
                    mayComment={mayWrite}
                  />
                ) : (
                  <Waiting error={changes.error} onRetry={changes.refetch} />
                ),
              },
              {
                id: 'transcript',
                title: 'Transcript',
                content: transcript.data ? (
                  <TranscriptTab jobId={job.id} page={transcript.data} />
                ) : (
                  <Waiting error={transcript.error} onRetry={transcript.refetch} />
                ),
              },
              {
                id: 'checks',
                title: 'Checks',
                ...(newIssues > 0 ? { count: newIssues } : {}),
                content: <ChecksTab job={job} />,
              },
              { id: 'raw', title: 'Raw', content: <RawTab job={job} /> },
            ]}
          />
        </div>
      </div>
      {mayWrite ? <FollowUpBox jobKey={jobKey} job={job} memory={memory} onShow={showLines} /> : null}
    </div>
  )
}

function Waiting({ error, onRetry }: { error: Error | null; onRetry: () => unknown }) {
  return error ? <ErrorNote error={error} onRetry={() => void onRetry()} /> : <Loading />
}

/** The job record as returned by the API. */
function RawTab({ job }: { job: AgentJob }) {
  return <CodeBlock code={JSON.stringify(job, null, 2)} label="Job record as JSON" />
}

/**
 * Returns the part of the page that the address names, and a function that changes it. The change
 * replaces the entry in the browser's history and does not scroll.
 */
function useJobPlace(): [JobPlace, (place: JobPlace) => void] {
  const place = readJobPlace(useSearch({ strict: false }))
  const navigate = useNavigate()
  const setPlace = useCallback(
    (search: JobPlace) => void navigate({ to: '.', search, replace: true, resetScroll: false }),
    [navigate],
  )
  return [place, setPlace]
}
