import type { DashboardJobPage } from '@corrigenda/contracts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../../components/icon.tsx'
import { JOB_STATE_FACTS, JOB_STATES } from '../../components/job-state.ts'
import { useShortcuts } from '../../keyboard/shortcuts.tsx'
import { type JobFilter, listStates, readJobFilter, toggleState } from './job-filter.ts'
import '../../components/field.css'
import './filter-bar.css'

/** Debounce delay in ms before the list is fetched. */
const TYPING_MS = 250

export interface FilterBarProps {
  readonly filter: JobFilter
  /** Number of jobs in each state, ignoring the filter. */
  readonly counts: DashboardJobPage['counts']
  readonly onFilter: (filter: JobFilter) => void
}

/**
 * A search field and state filters. `f` and `/` focus the search field, and digits toggle states.
 */
export function FilterBar({ filter, counts, onFilter }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(filter.q ?? '')
  const chosen = listStates(filter.status)
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
        ...JOB_STATES.map((state, index) => ({
          keys: String(index + 1),
          label: `Toggle the “${JOB_STATE_FACTS[state].label}” filter`,
          run: () => onFilter(toggleState(filter, state)),
        })),
      ]
    }, [filter, onFilter]),
  )
  return (
    <search className="filter-bar">
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
      <fieldset className="filter-bar-states">
        <legend className="sr-only">Status</legend>
        {JOB_STATES.map((state) => (
          <button
            key={state}
            type="button"
            className="filter-bar-state"
            aria-pressed={chosen.includes(state)}
            title={JOB_STATE_FACTS[state].hint}
            onClick={() => onFilter(toggleState(filter, state))}
          >
            {JOB_STATE_FACTS[state].label} <span className="filter-bar-count">{counts[state]}</span>
          </button>
        ))}
      </fieldset>
    </search>
  )
}
