import type { AgentJob } from '@corrigenda/contracts'
import { useEffect, useState } from 'react'
import { toDuration, toRelativeTime } from '../format/format.ts'

/**
 * A relative time such as "5 min ago", with the full time as a tooltip. Updates automatically. A time
 * is in the past unless `future` is set, also if the clock of the service is ahead of the browser's.
 */
export function RelativeTime({ at, future = false }: { at: string; future?: boolean }) {
  const now = useNow(10_000)
  const ms = Date.parse(at) - now
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className="nowrap">
      {toRelativeTime(future ? ms : Math.min(ms, 0))}
    </time>
  )
}

/** The time from `from` to `to`, or to the current time if `to` is null. */
export function LiveDuration({ from, to }: { from: string; to: string | null }) {
  const now = useNow(to === null ? 1_000 : null)
  const end = to === null ? now : Date.parse(to)
  return <span className="nowrap">{toDuration(end - Date.parse(from))}</span>
}

/**
 * The time that workers spent on a job, updated while one works on it. Waiting does not count. A dash
 * if the job has not started, or if the time was not recorded.
 */
export function WorkedTime({ job }: { job: Pick<AgentJob, 'startedAt' | 'workedMs' | 'workingSince'> }) {
  const { startedAt, workedMs, workingSince } = job
  const now = useNow(workingSince === null ? null : 1_000)
  if (startedAt === null || workedMs === null) return <span className="muted">–</span>
  const current = workingSince === null ? 0 : Math.max(0, now - Date.parse(workingSince))
  return <span className="nowrap">{toDuration(workedMs + current)}</span>
}

/** Returns the current time in ms, updated at this interval, or never if the interval is null. */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === null) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
