import { type DashboardJob, toJobState } from '@corrigenda/contracts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError, request, toProjectPath } from '../../api/request.ts'
import { Button } from '../../components/button.tsx'
import { JOB_STATE_FACTS } from '../../components/job-badge.tsx'
import { useToast } from '../../components/toast.tsx'
import { toJobTitle } from '../../format/format.ts'
import { unwatchJob, useWatchedJobList, type WatchedJob, watchJob } from './watched-jobs.ts'

const DENIED = 'Your browser blocks notifications from this site. Allow them in its settings, then try again.'

const UNSUPPORTED = 'Notifications require HTTPS and a browser that supports them.'

/** Polling interval in ms. Browsers call timers of hidden pages at least once per minute. */
const POLL_MS = 3_000

/**
 * Shows a notification of the browser when a watched job ends, even while the page is hidden. In browsers
 * that do not show it, a toast appears once the page is visible.
 */
export function useWatchedJobs(): void {
  const watched = useWatchedJobList()
  const navigate = useNavigate()
  const toast = useToast()
  useEffect(() => {
    if (watched.length === 0) return
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | null = null
    const open = ({ projectId, jobId }: WatchedJob) => {
      window.focus()
      void navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId, jobId } })
    }
    const look = async () => {
      for (const one of watched) await lookAt(one, { signal: abort.signal, onOpen: () => open(one), toast })
      if (!abort.signal.aborted) timer = setTimeout(look, POLL_MS)
    }
    void look()
    return () => {
      abort.abort()
      if (timer !== null) clearTimeout(timer)
    }
  }, [watched, navigate, toast])
}

interface Look {
  readonly signal: AbortSignal
  readonly onOpen: () => void
  readonly toast: (text: string) => void
}

async function lookAt({ projectId, jobId }: WatchedJob, { signal, onOpen, toast }: Look): Promise<void> {
  try {
    const job = await request<DashboardJob>(toProjectPath(projectId, 'jobs', jobId), { signal })
    if (job.status === 'active' || !unwatchJob(jobId)) return
    const title = `${JOB_STATE_FACTS[toJobState(job)].label}: ${toJobTitle(job)}`
    try {
      // The tag replaces the notification of another tab that has read the list at the same time.
      const shown = new Notification(title, { tag: jobId, ...(job.failure ? { body: job.failure.message } : {}) })
      shown.onclick = () => {
        shown.close()
        onOpen()
      }
    } catch {
      whenVisible(() => toast(title))
    }
  } catch (error) {
    // The job was deleted, or the user has lost access. All other failures are retried.
    if (error instanceof ApiError && error.status === 404) unwatchJob(jobId)
  }
}

function whenVisible(act: () => void): void {
  const onChange = () => {
    if (document.visibilityState !== 'visible') return
    document.removeEventListener('visibilitychange', onChange)
    act()
  }
  document.addEventListener('visibilitychange', onChange)
  onChange()
}

/**
 * Asks to show a notification of the browser when an active job ends. The choice is stored in this
 * browser.
 * @param iconOnly shows only the icon, for lists
 */
export function NotifyButton({ projectId, jobId, iconOnly = false }: WatchedJob & { iconOnly?: boolean }) {
  const isWatched = useWatchedJobList().some((job) => job.jobId === jobId)
  const toast = useToast()
  const toggle = async () => {
    if (isWatched) return void unwatchJob(jobId)
    if (!window.isSecureContext || !canNotify()) return toast(UNSUPPORTED, 'bad')
    if ((await Notification.requestPermission()) !== 'granted') return toast(DENIED, 'bad')
    watchJob({ projectId, jobId })
  }
  return (
    <Button
      icon={isWatched ? 'check' : 'bell'}
      iconOnly={iconOnly}
      variant={iconOnly ? 'quiet' : 'plain'}
      aria-pressed={isWatched}
      title="Notify me when it ends"
      onClick={() => void toggle()}
    >
      Notify me when it ends
    </Button>
  )
}

/**
 * Returns true if pages can show notifications. The constructor exists, but throws, in Chrome for
 * Android, also before the user has been asked for permission.
 */
function canNotify(): boolean {
  try {
    new Notification('Corrigenda', { silent: true }).close()
    return true
  } catch {
    return false
  }
}
