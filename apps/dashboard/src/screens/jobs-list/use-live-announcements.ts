import { type DashboardJob, type JobState, toJobState } from '@corrigenda/contracts'
import { useEffect, useRef } from 'react'
import { useAnnounce } from '../../components/announcer.tsx'
import { JOB_STATE_FACTS } from '../../components/job-badge.tsx'
import { toJobTitle } from '../../format/format.ts'

/** Announces jobs that are new or whose state has changed since the previous render of the list. */
export function useLiveAnnouncements(jobs: readonly DashboardJob[], listKey: string): void {
  const announce = useAnnounce()
  const seen = useRef<{ key: string; states: ReadonlyMap<string, JobState> } | null>(null)
  useEffect(() => {
    const states = new Map(jobs.map((job) => [job.id, toJobState(job)]))
    const before = seen.current
    seen.current = { key: listKey, states }
    // A different filter or an additional page does not count as a change.
    if (before?.key !== listKey) return
    const changed = jobs.filter((job) => before.states.get(job.id) !== states.get(job.id))
    const [first, ...others] = changed
    if (!first) return
    const more = others.length > 0 ? ` And ${others.length} more.` : ''
    announce(`${toJobTitle(first)}: ${JOB_STATE_FACTS[toJobState(first)].label}.${more}`)
  }, [jobs, listKey, announce])
}
