import type { ReactNode } from 'react'
import './table.css'

export interface TableProps {
  /** What the table holds, read aloud. */
  readonly label: string
  /** The title of a hidden column is for screen readers only. */
  readonly columns: readonly { readonly title: string; readonly hidden?: boolean; readonly numeric?: boolean }[]
  /** `<tr>`s with one `<td data-label="column">` for each column: the labels show where rows become cards. */
  readonly children: ReactNode
}

/** Rows of 40 px; where there are less than 640 px each row is a card. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div className="table-frame">
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, hidden, numeric }) => (
              <th key={title} scope="col" data-numeric={numeric || undefined}>
                {hidden ? <span className="sr-only">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
