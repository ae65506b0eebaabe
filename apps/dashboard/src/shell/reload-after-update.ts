const NAME = 'corrigenda-reloaded-at'
const PAUSE_MS = 10_000

/** A page that was opened before an update names files that are gone: it is loaded anew, but not again and again. */
export function reloadAfterUpdate(): void {
  window.addEventListener('vite:preloadError', (event) => {
    try {
      const last = Number(sessionStorage.getItem(NAME) ?? 0)
      if (Date.now() - last < PAUSE_MS) return
      sessionStorage.setItem(NAME, String(Date.now()))
    } catch {
      return
    }
    event.preventDefault()
    window.location.reload()
  })
}
