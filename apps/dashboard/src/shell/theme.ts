import { useSyncExternalStore } from 'react'

/**
 * The chosen theme. `system` follows the operating system. The script in the head applies it before
 * the first paint.
 */
export type Theme = 'system' | 'light' | 'dark'

const NAME = 'corrigenda-theme'
const CHANGED = 'corrigenda-theme-changed'

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(NAME)
    else localStorage.setItem(NAME, theme)
  } catch {
    // The browser blocks storage, so the choice applies only until the page is closed.
  }
  window.dispatchEvent(new Event(CHANGED))
}

function watchTheme(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange)
  return () => window.removeEventListener(CHANGED, onChange)
}

export const useTheme = (): Theme => useSyncExternalStore(watchTheme, readTheme)
