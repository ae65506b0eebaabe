import { useCallback, useEffect, useState } from 'react'
import { usePageActionList } from './page-actions.tsx'
import type { PaletteEntry } from './palette-entry.ts'

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
