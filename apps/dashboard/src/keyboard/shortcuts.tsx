import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'

/** Maximum time in ms between two keys of a sequence. */
const SEQUENCE_MS = 1_000

export interface Shortcut {
  /** A key such as `n`, `?` or `Enter`, or a sequence of two keys such as `g j`. */
  readonly keys: string
  /** Description for the shortcut list. */
  readonly label: string
  readonly run: () => void
}

interface ShortcutRegistry {
  /** With `isBase`, all other shortcuts take precedence. */
  add(shortcuts: readonly Shortcut[], isBase: boolean): () => void
  list(): readonly Shortcut[]
}

const ShortcutContext = createContext<ShortcutRegistry | null>(null)

function useRegistry(): ShortcutRegistry {
  const registry = useContext(ShortcutContext)
  if (!registry) throw new Error('useShortcuts requires a ShortcutProvider')
  return registry
}

/**
 * Returns a function that lists all active shortcuts. For each key, the most recently registered
 * shortcut takes precedence.
 */
export const useShortcutList = () => useRegistry().list

/**
 * Registers shortcuts while the component is mounted. If two use the same key, the later one takes
 * precedence. Shortcuts are inactive in fields, dialogs and menus.
 * @param isBase true for the shortcuts of all pages, over which those of a page take precedence
 */
export function useShortcuts(shortcuts: readonly Shortcut[], isBase = false): void {
  const registry = useRegistry()
  useEffect(() => registry.add(shortcuts, isBase), [registry, shortcuts, isBase])
}

export function ShortcutProvider({ children }: { children: ReactNode }) {
  const groups = useRef<(readonly Shortcut[])[]>([])
  const registry = useMemo<ShortcutRegistry>(() => {
    const list = () => [...new Map(groups.current.flat().map((shortcut) => [shortcut.keys, shortcut])).values()]
    return {
      add(shortcuts, isBase) {
        groups.current = isBase ? [shortcuts, ...groups.current] : [...groups.current, shortcuts]
        return () => {
          groups.current = groups.current.filter((group) => group !== shortcuts)
        }
      },
      list,
    }
  }, [])
  useEffect(() => {
    const reader = buildKeyReader()
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event)) return
      const shortcuts = registry.list()
      const keys = reader.read(event.key, { now: event.timeStamp, known: shortcuts.map(({ keys }) => keys) })
      const found = shortcuts.find((shortcut) => shortcut.keys === keys)
      if (!found) return
      event.preventDefault()
      found.run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [registry])
  return <ShortcutContext value={registry}>{children}</ShortcutContext>
}

/** Returns true if a key press is meant for a field, a control, a dialog, a menu or the browser. */
function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  // A checkbox uses only the space bar.
  const field = 'input:not([type="checkbox"]), textarea, select, [role="dialog"], [role="menu"]'
  if (target.isContentEditable || target.closest(field)) return true
  return (event.key === 'Enter' || event.key === ' ') && target.closest('a, button, input, [role="tab"]') !== null
}

/**
 * Returns a reader that matches one key press at a time against the bindings. It waits for the
 * second key of a sequence such as `g j`.
 */
export function buildKeyReader() {
  let pending: { readonly key: string; readonly at: number } | null = null
  return {
    read(key: string, { now, known }: { now: number; known: readonly string[] }): string | null {
      const first = pending && now - pending.at <= SEQUENCE_MS ? pending.key : null
      pending = null
      const pair = `${first} ${key}`
      if (first !== null && known.includes(pair)) return pair
      if (known.some((keys) => keys.startsWith(`${key} `))) {
        pending = { key, at: now }
        return null
      }
      return known.includes(key) ? key : null
    },
  }
}
