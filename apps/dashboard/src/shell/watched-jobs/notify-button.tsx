import { Button } from '../../components/button.tsx'
import { useToast } from '../../components/toast.tsx'
import { unwatchJob, useWatchedJobList, type WatchedJob, watchJob } from './watched-jobs.ts'

const DENIED = 'Your browser blocks notifications from this site. Allow them in its settings, then try again.'
const UNSUPPORTED = 'Notifications require HTTPS and a browser that supports them.'

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
