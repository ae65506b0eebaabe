import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import type { PaletteEntry } from './palette-entry.ts'
import { usePaletteGroups } from './use-palette-groups.ts'
import './palette.css'

const PAGE = 8

const SEARCH_DELAY_MS = 150

interface PaletteProps {
  readonly projectId: string | null
  readonly pageActions: readonly PaletteEntry[]
  readonly onClose: () => void
}

/**
 * The command palette: a combobox with a list of pages, jobs and actions. The focus stays in the
 * field, and the arrow keys move the active option.
 */
export function Palette({ projectId, pageActions, onClose }: PaletteProps) {
  const id = useId()
  const [text, setText] = useState('')
  const searched = useDelayed(text, SEARCH_DELAY_MS)
  const { groups, isSearching } = usePaletteGroups({ query: text, searched, projectId, pageActions })
  const entries = groups.flatMap((group) => group.entries)
  const [activeId, setActiveId] = useState<string | null>(null)
  const found = entries.findIndex((entry) => entry.id === activeId)
  const active = found === -1 ? 0 : found
  const toOptionId = (index: number) => `${id}-${index}`
  useEffect(() => {
    // The first option is below the title of its group.
    if (active === 0) document.getElementById(`${id}-list`)?.scrollTo(0, 0)
    else document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return
    // Closed first, so that the action can open a dialog of its own.
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const next = toActiveIndex(event.key, { active, count: entries.length })
    if (next === null && event.key !== 'Enter') return
    event.preventDefault()
    if (next === null) run(entries[active])
    else setActiveId(entries[next]?.id ?? null)
  }
  let index = -1
  return (
    <Dialog open onClose={onClose} title="Command palette" wide>
      <div className="palette-field">
        <Icon name="search" />
        <input
          className="palette-input"
          type="text"
          role="combobox"
          aria-label="Search pages, jobs and actions"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={entries.length > 0 ? toOptionId(active) : undefined}
          placeholder="Search pages, jobs and actions"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={200}
          autoFocus
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setActiveId(null)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} className="palette-list" role="listbox" aria-label="Results">
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: A fieldset cannot be in a listbox.
          <div key={group.title} role="group" aria-labelledby={`${id}-${group.title}`}>
            <div id={`${id}-${group.title}`} className="palette-group muted">
              {group.title}
            </div>
            {group.entries.map((entry) => {
              index += 1
              return (
                <Option
                  key={entry.id}
                  id={toOptionId(index)}
                  entry={entry}
                  isActive={index === active}
                  onRun={() => run(entry)}
                />
              )
            })}
          </div>
        ))}
      </div>
      <p className="small muted" role="status">
        {isSearching
          ? 'Searching…'
          : entries.length === 0
            ? 'Nothing found.'
            : `${entries.length} ${entries.length === 1 ? 'result' : 'results'}`}
      </p>
    </Dialog>
  )
}

function Option(props: { id: string; entry: PaletteEntry; isActive: boolean; onRun: () => void }) {
  const { id, entry, isActive, onRun } = props
  const { icon, label, detail, keys } = entry
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: The focus stays in the combobox.
    // biome-ignore lint/a11y/useKeyWithClickEvents: The combobox handles the keys.
    <div id={id} role="option" aria-selected={isActive} className="palette-option" onClick={onRun}>
      <Icon name={icon} />
      <span className="truncate">{label}</span>
      {detail === undefined ? null : <span className="palette-detail muted">{detail}</span>}
      {keys === undefined ? null : (
        <span className="palette-detail" aria-hidden="true">
          {keys.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
    </div>
  )
}

/** Returns a value after it has not changed for some ms. */
function useDelayed<T>(value: T, ms: number): T {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return delayed
}

/**
 * Returns the active option after a key press in the combobox, or null if the key does not move it.
 * The arrow keys go around at the ends.
 */
export function toActiveIndex(key: string, { active, count }: { active: number; count: number }): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (active + 1) % count
    case 'ArrowUp':
      return (active + count - 1) % count
    case 'PageDown':
      return Math.min(active + PAGE, count - 1)
    case 'PageUp':
      return Math.max(active - PAGE, 0)
    default:
      return null
  }
}
