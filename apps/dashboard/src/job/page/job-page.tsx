import { type AgentJob, toJobState } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { toSentence } from '../../api/request.ts'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import type { IconName } from '../../components/icon.tsx'
import { JOB_STATE_FACTS } from '../../components/job-badge.tsx'
import { Loading } from '../../components/loading.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMedia } from '../../components/use-media.ts'
import { toJobTitle } from '../../format/format.ts'
import { useShortcuts } from '../../keyboard/shortcuts.tsx'
import { useHasRole } from '../../shell/use-project.ts'
import { changesQuery, findNeighbour, type JobKey, jobSummaryQuery, transcriptQuery } from '../api/job-queries.ts'
import { ChangesTab } from '../changes/changes-tab.tsx'
import { type FileRange, formatRange } from '../changes/line-range.ts'
import { useDiffView } from '../changes/use-diff-view.ts'
import { useJobEvents } from '../events/use-job-events.ts'
import { FollowUpBox } from '../follow-up/follow-up-box.tsx'
import { useJobMemory } from '../memory/use-job-memory.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { TranscriptTab } from '../transcript/transcript-tab.tsx'
import { Outcome } from './job-facts.tsx'
import { JobHeader } from './job-header.tsx'
import { type JobPlace, type JobTab, readJobPlace } from './job-place.ts'
import { useStateAnnouncement, useTabTitle } from './use-tab-title.ts'
import './job-page.css'

const STATUSES: Readonly<Record<Check['status'], { label: string; icon: IconName; tone: BadgeTone; hint: string }>> = {
  passed: { label: 'Passed', icon: 'check', tone: 'ok', hint: 'No new issues.' },
  failed: { label: 'Failed', icon: 'failed', tone: 'bad', hint: 'The change introduced new issues.' },
  skipped: { label: 'Skipped', icon: 'dash', tone: 'muted', hint: 'This check did not run.' },
}

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
  useTabTitle(toJobTitle({ id: job.id, title: job.title, prompt }), jobState)
  useStateAnnouncement(JOB_STATE_FACTS[jobState].label)
  const files = changes.data?.files ?? []
  const hasChanges = files.length > 0 || job.outcome === 'changed'
  const tab =
    place.tab ?? (place.file !== undefined || (job.status !== 'active' && hasChanges) ? 'changes' : 'transcript')
  const isBeside = tab === 'changes' && diffView.view === 'split' && files.length > 0
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
        <Outcome job={job} onAnswer={mayWrite ? memory.setText : undefined} />
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

type Check = AgentJob['checks'][number]

/** The checks that ran on the change, and the issues they found. */
function ChecksTab({ job }: { job: AgentJob }) {
  if (job.checks.length === 0) {
    return job.status === 'active' ? (
      <EmptyState title="No checks yet">
        <p>Results will appear here when the agent finishes editing.</p>
      </EmptyState>
    ) : (
      <EmptyState title="No checks">
        <p>The job ended without checking any changes.</p>
      </EmptyState>
    )
  }
  const isQuiet = ({ status, introduced, preexisting, fixed = 0, note }: Check) =>
    status === 'passed' && introduced + preexisting + fixed === 0 && note === undefined
  const quiet = job.checks.filter(isQuiet)
  return (
    <ul className="stack gap-3">
      {job.checks
        .filter((check) => !isQuiet(check))
        .map((check) => (
          <li key={check.name} className="check panel">
            <CheckView check={check} />
          </li>
        ))}
      {quiet.length === 0 ? null : (
        <li className="check panel cluster gap-3">
          <Badge icon="check" tone="ok">
            {quiet.length === 1 ? '1 check passed' : `${quiet.length} checks passed`}
          </Badge>
          <span className="muted">{quiet.map(({ name }) => name).join(', ')}</span>
        </li>
      )}
    </ul>
  )
}

function CheckView({ check }: { check: Check }) {
  const { label, ...badge } = STATUSES[check.status]
  return (
    <>
      <div className="cluster gap-3">
        <h3>{check.name}</h3>
        <Badge {...badge}>{label}</Badge>
        <p className="muted">
          New issues: {check.introduced} · Existing issues: {check.preexisting}
          {check.fixed === undefined ? null : ` · Fixed issues: ${check.fixed}`}
        </p>
      </div>
      {check.note === undefined ? null : <p className="muted">{check.note}</p>}
      {check.findings.length === 0 ? null : (
        <ul className="check-findings findings">
          {check.findings.map((finding) => (
            <li key={`${finding.file} ${finding.line} ${finding.message}`}>
              <code>{finding.line === null ? finding.file : `${finding.file}:${finding.line}`}</code>
              <span>
                {finding.advisory === true ? <em>Advisory: </em> : null}
                {finding.message}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/**
 * Registers the `j` and `k` shortcuts, which open the next older or newer job. Returns a function
 * that opens the adjacent job.
 */
function useJobWalk(jobKey: JobKey): (step: 1 | -1) => void {
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
