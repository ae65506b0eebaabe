import type { ProjectUsage } from '@corrigenda/contracts'
import type { ReactNode } from 'react'
import { Block } from '../../components/block.tsx'
import { Table } from '../../components/table.tsx'
import { toMoney } from '../../format/format.ts'

interface Row {
  readonly key: string
  readonly name: ReactNode
  readonly jobs: number
  /** Undefined for a table without costs. */
  readonly costUsd?: number | null
}

/** Jobs and costs by model and by creator, and failures by code. */
export function UsageTables({ usage }: { usage: ProjectUsage }) {
  return (
    <>
      <Breakdown
        title="Models"
        column="Model"
        empty="No jobs were created in this period."
        rows={usage.models.map(({ model, jobs, costUsd }) => ({
          key: model,
          name: <code>{model}</code>,
          jobs,
          costUsd,
        }))}
      />
      <Breakdown
        title="Users and API keys"
        column="Created by"
        empty="No jobs were created in this period."
        rows={usage.creators.map(({ kind, name, jobs, costUsd }, index) => ({
          key: String(index),
          name: (
            <>
              {name ?? 'Unknown'} {kind === 'key' ? <span className="muted">API key</span> : null}
            </>
          ),
          jobs,
          costUsd,
        }))}
      />
      <Breakdown
        title="Failures"
        column="Code"
        empty="No jobs failed in this period."
        rows={usage.failures.map(({ code, jobs }) => ({ key: code, name: <code>{code}</code>, jobs }))}
      />
    </>
  )
}

/** Each row has a bar that shows its share of the jobs. */
function Breakdown(props: { title: string; column: string; empty: string; rows: readonly Row[] }) {
  const { title, column, empty, rows } = props
  const hasCost = rows.some(({ costUsd }) => costUsd !== undefined)
  const max = Math.max(1, ...rows.map(({ jobs }) => jobs))
  const columns = [{ title: column }, { title: 'Jobs', numeric: true }]
  return (
    <Block title={title} id={`by-${column.toLowerCase().replaceAll(' ', '-')}`}>
      {rows.length === 0 ? (
        <p className="block-note muted">{empty}</p>
      ) : (
        <Table label={title} columns={hasCost ? [...columns, { title: 'Cost', numeric: true }] : columns}>
          {rows.map(({ key, name, jobs, costUsd = null }) => (
            <tr key={key} data-testid="usage-row">
              <td data-label={column}>
                <span className="breakable">{name}</span>
                <svg className="usage-share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={(100 * jobs) / max} height="4" data-outcome="cost" />
                </svg>
              </td>
              <td data-label="Jobs" data-numeric>
                {jobs}
              </td>
              {hasCost ? (
                <td data-label="Cost" data-numeric>
                  {toMoney(costUsd)}
                </td>
              ) : null}
            </tr>
          ))}
        </Table>
      )}
    </Block>
  )
}
