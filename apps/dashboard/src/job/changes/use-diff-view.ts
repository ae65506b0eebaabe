import { useCallback, useState } from 'react'
import { useMedia } from '../../components/use-media.ts'
import type { DiffView } from './build-rows.ts'

const NAME = 'corrigenda-diff-view'
/** Matches windows that are wide enough for two columns. */
const WIDE = '(min-width: 1100px)'

export interface ChosenView {
  readonly view: DiffView
  /** True if two columns fit. */
  readonly isWide: boolean
  readonly choose: (view: DiffView) => void
}

/**
 * Returns the view of the changes. The user's choice is stored in this browser. The default is the
 * rendered view. If the user has chosen the split view, it is used whenever two columns fit.
 */
export function useDiffView(): ChosenView {
  const isWide = useMedia(WIDE)
  const [chosen, setChosen] = useState(findChoice)
  const choose = useCallback((view: DiffView) => {
    setChosen(view)
    rememberChoice(view)
  }, [])
  return { view: chosen === 'split' && !isWide ? 'source' : (chosen ?? 'prose'), isWide, choose }
}

function findChoice(): DiffView | null {
  try {
    const choice = localStorage.getItem(NAME)
    return choice === 'prose' || choice === 'source' || choice === 'split' ? choice : null
  } catch {
    return null
  }
}

function rememberChoice(view: DiffView): void {
  try {
    localStorage.setItem(NAME, view)
  } catch {
    // The browser blocks storage, so the choice applies only until the page is closed.
  }
}
