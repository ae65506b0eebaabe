import { type AgentJob, toJobState } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { toSentence } from '../../api/to-sentence.ts'
import { useAnnounce } from '../../components/announcer.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { JOB_STATE_FACTS } from '../../components/job-state.ts'
import { Loading } from '../../components/loading.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useToast } from '../../components/toast.tsx'
import { useShortcuts } from '../../keyboard/shortcuts.tsx'
import { useHasRole } from '../../shell/use-project.ts'
import { findNeighbour } from '../api/find-neighbour.ts'
import { changesQuery, type JobKey, jobSummaryQuery, transcriptQuery } from '../api/job-queries.ts'
import { ChangesTab } from '../changes/changes-tab.tsx'
import { useJobEvents } from '../events/use-job-events.ts'
import { FollowUpBox } from '../follow-up/follow-up-box.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { TranscriptTab } from '../transcript/transcript-tab.tsx'
import { ChecksTab } from './checks-tab.tsx'
import { JobHeader } from './job-header.tsx'
import { OutcomeNote } from './outcome-note.tsx'
import { PullRequestCard } from './pull-request-card.tsx'
import { RawTab } from './raw-tab.tsx'
import { toFirstWords } from './to-first-words.ts'
import { useArrival } from './use-arrival.ts'
import { useTabTitle } from './use-tab-title.ts'
import './job-page.css'

type TabId = 'changes' | 'transcript' | 'checks' | 'raw'

/** The job page, updated live. */
export function JobPage({ jobKey, job }: { jobKey: JobKey; job: AgentJob }) {
  const { events, state } = useJobEvents(jobKey, job)
  const transcript = useQuery(transcriptQuery(jobKey))
  const changes = useQuery(changesQuery(jobKey))
  const summary = useQuery(jobSummaryQuery(jobKey))
  const mayWrite = useHasRole('member')
  const [chosen, setChosen] = useState<TabId | null>(null)
  const walk = useWalk(jobKey)
  const jobState = toJobState(job)
  useTabTitle(toFirstWords(transcript.data?.runs[0]?.prompt ?? job.title ?? 'Job'), jobState)
  useStateAnnouncement(JOB_STATE_FACTS[jobState].label)
  const fileCount = changes.data?.files.length ?? 0
  const hasChanges = fileCount > 0 || job.outcome === 'changed'
  const tab = chosen ?? (job.status !== 'active' && hasChanges ? 'changes' : 'transcript')
  const isShown = useArrival(
    (events.length > 0 || (state !== 'connecting' && state !== 'live')) &&
      ![transcript, changes, summary].some(({ isPending }) => isPending),
  )
  const newIssues = job.checks.reduce((sum, check) => sum + check.introduced, 0)
  if (!isShown) return <Loading label="Loading job" />
  return (
    <div className="job-page">
      <JobHeader jobKey={jobKey} job={job} events={events} transcript={transcript.data ?? null} onWalk={walk} />
      <div className="job-notes">
        <OutcomeNote job={job} />
        <PullRequestCard job={job} />
      </div>
      <div className="job-body">
        <aside className="job-side">
          <Timeline events={events} state={state} />
        </aside>
        <div className="job-main">
          <Tabs<TabId>
            label="Job details"
            value={tab}
            onValue={setChosen}
            tabs={[
              {
                id: 'changes',
                title: 'Changes',
                ...(fileCount > 0 ? { count: fileCount } : {}),
                content: changes.data ? (
                  <ChangesTab job={job} changes={changes.data} />
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
        {mayWrite ? (
          <div className="job-follow">
            <FollowUpBox jobKey={jobKey} job={job} />
          </div>
        ) : null}
      </div>
    </div>
  )
}

function Waiting({ error, onRetry }: { error: Error | null; onRetry: () => unknown }) {
  return error ? <ErrorNote error={error} onRetry={() => void onRetry()} /> : <Loading />
}

/**
 * Registers the `j` and `k` shortcuts, which open the next older or newer job. Returns a function
 * that opens the adjacent job.
 */
function useWalk(jobKey: JobKey): (step: 1 | -1) => void {
  const { projectId, jobId } = jobKey
  const navigate = useNavigate()
  const toast = useToast()
  const walk = useCallback(
    (step: 1 | -1) => {
      findNeighbour({ projectId, jobId }, step)
        .then((next) => {
          if (next === null) return toast(step === 1 ? 'This is the oldest job.' : 'This is the newest job.')
          return navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId, jobId: next } })
        })
        .catch((error: unknown) => toast(toSentence(error), 'bad'))
    },
    [projectId, jobId, navigate, toast],
  )
  useShortcuts(
    useMemo(
      () => [
        { keys: 'j', label: 'Older job', run: () => walk(1) },
        { keys: 'k', label: 'Newer job', run: () => walk(-1) },
      ],
      [walk],
    ),
  )
  return walk
}

/** Announces each state change, but not the initial state. */
function useStateAnnouncement(label: string): void {
  const announce = useAnnounce()
  const last = useRef(label)
  useEffect(() => {
    if (last.current === label) return
    last.current = label
    announce(`Job status: ${label}`)
  }, [label, announce])
}
