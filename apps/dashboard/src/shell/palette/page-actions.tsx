import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { PaletteEntry } from './palette-entry.ts'

interface PageActions {
  add(actions: readonly PaletteEntry[]): () => void
  list(): readonly PaletteEntry[]
}

const PageActionsContext = createContext<PageActions>({ add: () => () => {}, list: () => [] })

/** Returns a function that lists the actions of the current page. */
export const usePageActionList = () => useContext(PageActionsContext).list

/**
 * Adds actions to the command palette while the component is mounted.
 * @param actions memoized list
 */
export function usePageActions(actions: readonly PaletteEntry[]): void {
  const { add } = useContext(PageActionsContext)
  useEffect(() => add(actions), [add, actions])
}

export function PageActionsProvider({ children }: { children: ReactNode }) {
  const groups = useRef<(readonly PaletteEntry[])[]>([])
  const registry = useMemo<PageActions>(
    () => ({
      add(actions) {
        groups.current = [...groups.current, actions]
        return () => {
          groups.current = groups.current.filter((group) => group !== actions)
        }
      },
      list: () => groups.current.flat(),
    }),
    [],
  )
  return <PageActionsContext value={registry}>{children}</PageActionsContext>
}

/**
 * Opens the palette with ⌘K or Ctrl+K on all pages, also in fields. In a dialog, the key does
 * nothing, because the dialog has to be completed first.
 * @returns the actions of the page while the palette is open, or null
 */
export function usePalette(): { actions: readonly PaletteEntry[] | null; open: () => void; close: () => void } {
  const listPageActions = usePageActionList()
  const [actions, setActions] = useState<readonly PaletteEntry[] | null>(null)
  const open = useCallback(() => setActions(listPageActions()), [listPageActions])
  const close = useCallback(() => setActions(null), [])
  const isOpen = actions !== null
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isAsked = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isAsked || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      if (isOpen) close()
      else if (!document.querySelector('[role="dialog"], [role="alertdialog"]')) open()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOpen, open, close])
  return { actions, open, close }
}
