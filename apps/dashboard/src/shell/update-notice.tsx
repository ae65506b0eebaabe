import { useEffect, useState } from 'react'
import { useAnnounce } from '../components/announcer.tsx'
import { Button } from '../components/button.tsx'
import './update-notice.css'

const TEXT = 'Corrigenda was updated. This page is of the version before.'

/**
 * A page that was opened before an update names files that are gone. It says so as soon as one of them is missed, and stays as it is: what is being
 * typed is not lost. Going to a screen that is gone loads the page anew (the router does).
 */
export function UpdateNotice() {
  const announce = useAnnounce()
  const [isOld, setOld] = useState(false)
  useEffect(() => {
    const note = () => setOld(true)
    window.addEventListener('vite:preloadError', note)
    return () => window.removeEventListener('vite:preloadError', note)
  }, [])
  useEffect(() => {
    if (isOld) announce(TEXT)
  }, [isOld, announce])
  if (!isOld) return null
  return (
    <section className="update-notice" aria-label="Update">
      <p>{TEXT}</p>
      <Button variant="primary" onClick={() => window.location.reload()}>
        Reload
      </Button>
      <Button variant="quiet" icon="close" iconOnly onClick={() => setOld(false)}>
        Dismiss
      </Button>
    </section>
  )
}
