import type { ProjectUsage } from '@corrigenda/contracts'
import { Block } from '../../components/block.tsx'
import { Table } from '../../components/table.tsx'
import { toMoney } from '../../format/amounts.ts'
import { DayChart } from './day-chart.tsx'
import { countJobs, OUTCOMES } from './outcomes.ts'

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
