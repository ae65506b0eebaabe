import { type DashboardJobPage, JOB_STATES, type JobState, OPEN_STATES } from '@corrigenda/contracts'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { JOB_STATE_FACTS } from '../../components/job-badge.tsx'
import { toCount } from '../../format/format.ts'
import { useShortcuts } from '../../keyboard/shortcuts.tsx'
import { FilterPanel } from './filter-panel.tsx'
import {
  ALL_JOBS,
  isFirstView,
  type JobFilter,
  listStates,
  PANEL_FILTERS,
  readJobFilter,
  toggleState,
} from './job-filter.ts'

/** Debounce delay in ms before the list is fetched. */
const TYPING_MS = 250

interface FilterBarProps {
  readonly filter: JobFilter
  /** Number of jobs in each state that match the other filters. Null until known. */
  readonly counts: DashboardJobPage['counts']
  /** False if the counts are lower bounds. */
  readonly isCountExact: boolean
  readonly onFilter: (filter: JobFilter) => void
}

/**
 * A search field, a panel of filters and state filters. `f` and `/` focus the search field, and
 * digits toggle states. States without jobs are hidden.
 */
export function FilterBar({ filter, counts, isCountExact, onFilter }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null)
  const toTotal = (states: readonly JobState[]) =>
    counts
      ? toCount(
          states.reduce((sum, state) => sum + counts[state], 0),
          isCountExact,
        )
      : ''
  const [text, setText] = useState(filter.q ?? '')
  const chosen = listStates(filter.status)
  const panel = useId()
  const active = PANEL_FILTERS.filter((name) => filter[name] !== undefined).length
  const [isOpen, setOpen] = useState(active > 0)
  useEffect(() => {
    if (text.trim() === (filter.q ?? '')) return
    const timer = setTimeout(() => onFilter(readJobFilter({ ...filter, q: text })), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, filter, onFilter])
  const shown = useRef(filter.q)
  useEffect(() => {
    // The URL was changed by another control, such as the back button or "Show all".
    if (shown.current === filter.q) return
    shown.current = filter.q
    if (document.activeElement !== input.current) setText(filter.q ?? '')
  }, [filter.q])
  useShortcuts(
    useMemo(() => {
      const focus = () => input.current?.focus()
      return [
        { keys: 'f', label: 'Search jobs', run: focus },
        { keys: '/', label: 'Search jobs', run: focus },
        // There is no tenth digit.
        ...JOB_STATES.slice(0, 9).map((state, index) => ({
          keys: String(index + 1),
          label: `Toggle the “${JOB_STATE_FACTS[state].label}” filter`,
          run: () => onFilter(toggleState(filter, state)),
        })),
      ]
    }, [filter, onFilter]),
  )
  return (
    <search className="filter-bar cluster">
      <div className="filter-bar-text">
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          className="field-control"
          aria-label="Search jobs"
          placeholder="Search jobs"
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
      </div>
      <Button icon="filter" aria-expanded={isOpen} aria-controls={panel} onClick={() => setOpen(!isOpen)}>
        {active > 0 ? `Filters (${active})` : 'Filters'}
      </Button>
      <fieldset className="filter-bar-states">
        <legend className="sr-only">Status</legend>
        <StateButton
          label="Open"
          hint="Jobs that need a person or a worker."
          isPressed={isFirstView(filter)}
          count={toTotal(OPEN_STATES)}
          onPress={() => onFilter({})}
        />
        <StateButton
          label="All"
          hint="Jobs in every state."
          isPressed={!isFirstView(filter) && chosen.length === 0}
          count={toTotal(JOB_STATES)}
          onPress={() => onFilter(readJobFilter({ ...filter, ...ALL_JOBS }))}
        />
        {JOB_STATES.filter((state) => chosen.includes(state) || counts?.[state] !== 0).map((state) => (
          <StateButton
            key={state}
            label={JOB_STATE_FACTS[state].label}
            hint={JOB_STATE_FACTS[state].hint}
            isPressed={chosen.includes(state)}
            count={toTotal([state])}
            onPress={() => onFilter(toggleState(filter, state))}
          />
        ))}
      </fieldset>
      {isOpen ? <FilterPanel id={panel} filter={filter} onFilter={onFilter} /> : null}
    </search>
  )
}

function StateButton(props: { label: string; hint: string; isPressed: boolean; count: string; onPress: () => void }) {
  const { label, hint, isPressed, count, onPress } = props
  return (
    <button type="button" className="filter-bar-state" aria-pressed={isPressed} title={hint} onClick={onPress}>
      {label} <span className="filter-bar-count">{count}</span>
    </button>
  )
}
