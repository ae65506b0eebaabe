import { useCallback, useState, useSyncExternalStore } from 'react'
import type { DiffView } from './build-rows.ts'

const NAME = 'corrigenda-diff-view'
/** Two columns need so much; from the second width on they leave the timeline where it is. */
const WIDE = '(min-width: 1100px)'
const WIDEST = '(min-width: 1500px)'

export interface ChosenView {
  readonly view: DiffView
  /** Whether there is room for two columns. */
  readonly isWide: boolean
  readonly choose: (view: DiffView) => void
}

/**
 * How Markdown is shown. The choice is remembered in this browser; without one, both are beside each other where nothing has to move for it. Where
 * there is no room for two columns the choice waits until there is.
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
    // The browser keeps nothing: the choice holds until the page is closed.
  }
}
