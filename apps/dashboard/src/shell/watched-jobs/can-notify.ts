/**
 * Returns true if pages can show notifications. The constructor exists, but throws, in Chrome for
 * Android, also before the user has been asked for permission.
 */
export function canNotify(): boolean {
  try {
    new Notification('Corrigenda', { silent: true }).close()
    return true
  } catch {
    return false
  }
}
