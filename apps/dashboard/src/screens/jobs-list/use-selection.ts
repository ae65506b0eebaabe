import { useCallback, useMemo, useRef, useState } from 'react'

interface Selection {
  readonly ids: ReadonlySet<string>
  /**
   * Selects or deselects the row. With `isRange`, all rows between it and the row that was toggled
   * before get the same state.
   */
  toggle(id: string, isRange: boolean): void
  /** Selects exactly these rows. */
  set(ids: readonly string[]): void
}

/** The selected rows among those that are shown, in display order. */
export function useSelection(shown: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string | null>(null)
  const ids = useMemo(() => new Set(shown.filter((id) => chosen.has(id))), [shown, chosen])
  // `toggle` stays the same, so that only the rows that change render again.
  const latest = useRef({ shown, ids })
  latest.current = { shown, ids }
  const toggle = useCallback((id: string, isRange: boolean) => {
    const { shown, ids } = latest.current
    const from = isRange && anchor.current !== null ? shown.indexOf(anchor.current) : -1
    const to = shown.indexOf(id)
    anchor.current = id
    const changed = from < 0 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1)
    const isAdded = !ids.has(id)
    setChosen(new Set(isAdded ? [...ids, ...changed] : [...ids].filter((one) => !changed.includes(one))))
  }, [])
  const set = useCallback((next: readonly string[]) => setChosen(new Set(next)), [])
  return useMemo(() => ({ ids, toggle, set }), [ids, toggle, set])
}
