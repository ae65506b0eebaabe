import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { Icon, type IconName } from './icon.tsx'

export interface MenuEntry {
  readonly label: string
  /** Distinguishes entries with the same label. */
  readonly id?: string
  readonly onSelect: () => void
  readonly icon?: IconName
  readonly danger?: boolean
  readonly disabled?: boolean
}

interface MenuProps {
  readonly trigger: ReactElement
  readonly entries: readonly MenuEntry[]
  /** The edge of the button with which the menu is aligned. Default: `end`. */
  readonly align?: 'start' | 'end'
}

/** A button that opens a menu of actions. Supports arrow keys, typeahead and Escape. */
export function Menu({ trigger, entries, align = 'end' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="menu-place" sideOffset={4} align={align}>
          <Base.Popup className="menu">
            {entries.map((entry) => (
              <Base.Item
                key={entry.id ?? entry.label}
                className="menu-item"
                data-danger={entry.danger || undefined}
                disabled={entry.disabled ?? false}
                onClick={entry.onSelect}
              >
                {entry.icon ? <Icon name={entry.icon} /> : null}
                {entry.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
