import type { ReactNode } from 'react'
import './table.css'

export interface TableProps {
  /** What the table holds, read aloud. */
  readonly label: string
  /** Titles of the columns; an empty one is read as its `name`. */
  readonly columns: readonly { readonly name: string; readonly hidden?: boolean; readonly numeric?: boolean }[]
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
            {columns.map(({ name, hidden, numeric }) => (
              <th key={name} scope="col" data-numeric={numeric || undefined}>
                {hidden ? <span className="sr-only">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
