import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface TabsProps<Id extends string> {
  readonly label: string
  readonly value: Id
  readonly onValue: (value: Id) => void
  readonly tabs: readonly {
    readonly id: Id
    readonly title: string
    readonly count?: number
    readonly content: ReactNode
  }[]
}

/** Tabs. Only the selected panel is rendered. */
export function Tabs<Id extends string>({ label, value, onValue, tabs }: TabsProps<Id>) {
  return (
    <Base.Root className="tabs" value={value} onValueChange={(next) => onValue(next as Id)}>
      <Base.List className="tabs-list" aria-label={label} activateOnFocus>
        {tabs.map(({ id, title, count }) => (
          <Base.Tab key={id} value={id} className="tabs-tab">
            {title}
            {count === undefined ? null : <span className="tabs-count">{count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id} className="tabs-panel">
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
