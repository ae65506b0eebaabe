import { useEffect, useState } from 'react'
import { useAnnounce } from '../components/announcer.tsx'
import { Button } from '../components/button.tsx'

const TEXT = 'Corrigenda was updated. Reload this page to use the new version.'

/**
 * Shows a notice when a page that was opened before an update fails to load a removed file. The
 * page stays unchanged, so that input is not lost. If the user navigates to a removed screen, the
 * router reloads the page.
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
      <p className="grow">{TEXT}</p>
      <Button variant="primary" onClick={() => window.location.reload()}>
        Reload
      </Button>
      <Button variant="quiet" icon="close" iconOnly onClick={() => setOld(false)}>
        Dismiss
      </Button>
    </section>
  )
}
