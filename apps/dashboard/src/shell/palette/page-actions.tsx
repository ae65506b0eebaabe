import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
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
