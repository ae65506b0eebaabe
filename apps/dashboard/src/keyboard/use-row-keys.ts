import { useEffect, useMemo, useState } from 'react'
import { useShortcuts } from './shortcuts.tsx'

/**
 * Registers shortcuts: `j` and `k` move through rows, and `Enter` opens the selected row. The
 * selected row, which the caller marks with `data-selected`, is scrolled into view.
 * @returns the index of the selected row, or null
 */
export function useRowKeys(input: { count: number; noun: string; onOpen: (index: number) => void }): number | null {
  const { count, noun, onOpen } = input
  const [chosen, setChosen] = useState<number | null>(null)
  const row = chosen === null || count === 0 ? null : Math.min(chosen, count - 1)
  useShortcuts(
    useMemo(() => {
      const move = (step: number) => setChosen(row === null ? 0 : Math.max(0, Math.min(count - 1, row + step)))
      return [
        { keys: 'j', label: `Next ${noun}`, run: () => move(1) },
        { keys: 'k', label: `Previous ${noun}`, run: () => move(-1) },
        { keys: 'Enter', label: `Open the ${noun}`, run: () => row !== null && onOpen(row) },
      ]
    }, [row, count, noun, onOpen]),
  )
  useEffect(() => {
    if (row !== null) document.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest' })
  }, [row])
  return row
}
