import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { jobFilterOptionsQuery } from '../../api/jobs.ts'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/field.tsx'
import { SettledField } from '../../components/settled-field.tsx'
import { useNewest } from '../../components/use-newest.ts'
import { isDayOrEmpty } from '../../format/format.ts'
import { useProjectId } from '../../shell/use-project.ts'
import { type JobFilter, PANEL_FILTERS, type PanelFilter, readJobFilter } from './job-filter.ts'

interface FilterPanelProps {
  readonly id: string
  readonly filter: JobFilter
  readonly onFilter: (filter: JobFilter) => void
}

/** The filters by author, model, failure and creation date. */
export function FilterPanel({ id, filter, onFilter }: FilterPanelProps) {
  const { data } = useQuery(jobFilterOptionsQuery(useProjectId()))
  const newest = useNewest(filter)
  const set = (change: Record<string, string>) => {
    newest.current = readJobFilter({ ...newest.current, ...change })
    onFilter(newest.current)
  }
  const authors = (data?.authors ?? []).map(({ id: value, kind, name }) => ({
    value,
    label: kind === 'key' ? `${name} (API key)` : name,
  }))
  const controls: Readonly<Record<PanelFilter, ReactNode>> = {
    author: (
      <Select
        label="Author"
        options={withAny(authors, filter.author)}
        value={filter.author ?? ''}
        onValue={(author) => set({ author })}
      />
    ),
    model: (
      <Select
        label="Model"
        options={withAny((data?.models ?? []).map(toOption), filter.model)}
        value={filter.model ?? ''}
        onValue={(model) => set({ model })}
      />
    ),
    failure: (
      <Select
        label="Failure"
        options={withAny((data?.failures ?? []).map(toOption), filter.failure)}
        value={filter.failure ?? ''}
        onValue={(failure) => set({ failure })}
      />
    ),
    from: (
      <SettledField
        label="Created from"
        type="date"
        max={filter.to}
        value={filter.from ?? ''}
        accepts={isDayOrEmpty}
        onValue={(from) => set({ from })}
      />
    ),
    to: (
      <SettledField
        label="Created to"
        type="date"
        min={filter.from}
        value={filter.to ?? ''}
        accepts={isDayOrEmpty}
        onValue={(to) => set({ to })}
      />
    ),
  }
  return (
    <div className="filter-panel" id={id}>
      {PANEL_FILTERS.map((name) => (
        <Fragment key={name}>{controls[name]}</Fragment>
      ))}
      <Button
        className="filter-panel-clear"
        disabled={PANEL_FILTERS.every((name) => filter[name] === undefined)}
        onClick={() => set(Object.fromEntries(PANEL_FILTERS.map((name) => [name, ''])))}
      >
        Clear filters
      </Button>
    </div>
  )
}

const toOption = (value: string) => ({ value, label: value })

/** Adds "Any", and the chosen value in case that it is not among the options. */
function withAny(options: readonly { value: string; label: string }[], chosen: string | undefined) {
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen)
  return [{ value: '', label: 'Any' }, ...options, ...(isKnown ? [] : [toOption(chosen)])]
}
