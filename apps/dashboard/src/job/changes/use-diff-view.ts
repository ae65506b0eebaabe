import { useCallback, useState, useSyncExternalStore } from 'react'
import type { DiffView } from './build-rows.ts'

const NAME = 'corrigenda-diff-view'
/** Minimum width for two columns. Above the second width, they fit next to the timeline. */
const WIDE = '(min-width: 1100px)'
const WIDEST = '(min-width: 1500px)'

export interface ChosenView {
  readonly view: DiffView
  /** True if two columns fit. */
  readonly isWide: boolean
  readonly choose: (view: DiffView) => void
}

/**
 * Returns the Markdown view. The choice is stored in this browser. Without a choice, the view is
 * side by side only if that leaves the layout unchanged. A side-by-side choice applies once two
 * columns fit.
 */
export function useDiffView(): ChosenView {
  const isWide = useMedia(WIDE)
  const isWidest = useMedia(WIDEST)
  const [chosen, setChosen] = useState(findChoice)
  const choose = useCallback((view: DiffView) => {
    setChosen(view)
    rememberChoice(view)
  }, [])
  const wanted = chosen ?? (isWidest ? 'both' : 'prose')
  return { view: wanted === 'both' && !isWide ? 'prose' : wanted, isWide, choose }
}

function useMedia(query: string): boolean {
  const watch = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(watch, () => window.matchMedia(query).matches)
}

function findChoice(): DiffView | null {
  try {
    const choice = localStorage.getItem(NAME)
    return choice === 'prose' || choice === 'source' || choice === 'both' ? choice : null
  } catch {
    return null
  }
}

function rememberChoice(view: DiffView): void {
  try {
    localStorage.setItem(NAME, view)
  } catch {
    // The browser blocks storage. The choice applies until the page is closed.
  }
}
