import type { ProjectUsage } from '@corrigenda/contracts'
import { Block } from '../../components/block.tsx'
import { Table } from '../../components/table.tsx'
import { toMoney } from '../../format/format.ts'

const LABELS: Readonly<Record<UsageOutcome, string>> = {
  changed: 'Pull request',
  no_changes: 'No changes',
  needs_input: 'Needs input',
  failed: 'Failed',
  cancelled: 'Cancelled',
  active: 'Active',
}

/** The outcomes, from the bottom to the top of a bar. */
const OUTCOMES = Object.entries(LABELS).map(([id, label]) => ({ id: id as UsageOutcome, label }))

const HEIGHT = 100

const STEP = 10

/** Jobs and costs of each day, as charts and as a table. */
export function DayCharts({ days }: { days: ProjectUsage['days'] }) {
  const isEmpty = days.every((day) => countJobs(day) === 0)
  const known = OUTCOMES.filter(({ id }) => days.some((day) => day[id] > 0))
  return (
    <Block
      title="Jobs per day"
      id="days"
      description="By outcome. The cost of a job counts on the day of its creation."
    >
      <div className="block-body">
        {isEmpty ? (
          <p className="muted">No jobs were created in this period.</p>
        ) : (
          <>
            <ul className="usage-legend">
              {known.map(({ id, label }) => (
                <li key={id}>
                  <svg className="usage-key" viewBox="0 0 10 10" aria-hidden="true">
                    <rect width="10" height="10" rx="2" data-outcome={id} />
                  </svg>
                  {label}
                </li>
              ))}
            </ul>
            <DayChart
              label="Jobs per day, by outcome"
              days={days.map((day) => ({
                day: day.day,
                parts: known.map(({ id }) => ({ id, value: day[id] })),
                text: known
                  .filter(({ id }) => day[id] > 0)
                  .map(({ id, label }) => `${day[id]} ${label}`)
                  .join(', '),
              }))}
              toLabel={String}
            />
            {days.some((day) => day.costUsd > 0) ? (
              <>
                <h3>Cost per day</h3>
                <DayChart
                  label="Model cost per day"
                  days={days.map(({ day, costUsd }) => ({
                    day,
                    parts: [{ id: 'cost', value: costUsd }],
                    text: costUsd === 0 ? '' : toMoney(costUsd),
                  }))}
                  toLabel={toMoney}
                />
              </>
            ) : null}
            <details className="usage-details">
              <summary>Show as a table</summary>
              <Table
                label="Jobs and costs per day"
                columns={[
                  { title: 'Day (UTC)' },
                  ...OUTCOMES.map(({ label }) => ({ title: label, numeric: true })),
                  { title: 'Cost', numeric: true },
                ]}
              >
                {days
                  .filter((day) => countJobs(day) > 0)
                  .toReversed()
                  .map((day) => (
                    <tr key={day.day} data-testid="usage-day">
                      <td data-label="Day (UTC)" className="nowrap">
                        {day.day}
                      </td>
                      {OUTCOMES.map(({ id, label }) => (
                        <td key={id} data-label={label} data-numeric>
                          {day[id]}
                        </td>
                      ))}
                      <td data-label="Cost" data-numeric>
                        {toMoney(day.costUsd)}
                      </td>
                    </tr>
                  ))}
              </Table>
            </details>
          </>
        )}
      </div>
    </Block>
  )
}

interface ChartDay {
  /** ISO date. */
  readonly day: string
  /** Parts of the bar, from the bottom to the top. */
  readonly parts: readonly { readonly id: string; readonly value: number }[]
  /** The values in words. Empty for a day without any. */
  readonly text: string
}

/**
 * A stacked bar chart with one bar per day. Screen readers get its range; the table next to it has
 * the values. The policy of the page forbids inline styles, so that all sizes are attributes.
 */
function DayChart(props: {
  label: string
  days: readonly ChartDay[]
  /** Formats the value of the axis. */
  toLabel: (value: number) => string
}) {
  const { label, days, toLabel } = props
  const sums = days.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const max = Math.max(...sums)
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  return (
    <figure className="usage-chart stack gap-1">
      <span className="note muted" aria-hidden="true">
        {toLabel(max)}
      </span>
      <svg
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}, ${first} to ${last}, at most ${toLabel(max)}. The table has the values.`}
      >
        {days.map(({ day, parts, text }, index) => {
          let top = HEIGHT
          return (
            <g key={day}>
              <title>{text === '' ? `${day}: none` : `${day}: ${text}`}</title>
              <rect className="usage-hover" x={index * STEP} width={STEP} height={HEIGHT} />
              {parts.map(({ id, value }) => {
                const height = max === 0 ? 0 : (value / max) * HEIGHT
                top -= height
                return height === 0 ? null : (
                  <rect key={id} data-outcome={id} x={index * STEP + 1} y={top} width={STEP - 2} height={height} />
                )
              })}
            </g>
          )
        })}
      </svg>
      <figcaption className="note spread muted" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </figcaption>
    </figure>
  )
}

type Day = ProjectUsage['days'][number]
type UsageOutcome = Exclude<keyof Day, 'day' | 'costUsd'>

export const countJobs = (day: Day): number => OUTCOMES.reduce((sum, { id }) => sum + day[id], 0)
