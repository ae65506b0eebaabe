import type { ReactNode } from 'react'
import './table.css'

export interface ColumnHeader {
  readonly title: string
  /** The title is for screen readers only. */
  readonly hidden?: boolean
  readonly numeric?: boolean
  /**
   * Hides the column in tables of at most this width, in px. Cards show every column. Other widths
   * need a rule in table.css.
   */
  readonly hideBelow?: 840 | 920
}

/** One column: its header and its cells. */
export interface Column<Row> extends ColumnHeader {
  /** The cell shows no title in the card layout. */
  readonly unlabelled?: boolean
  readonly className?: string
  readonly tooltip?: (row: Row) => string
  readonly cell: (row: Row) => ReactNode
}

/** The cells of a row, in the order of the columns. */
export function Cells<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return columns.map(({ title, numeric, hideBelow, unlabelled, className, tooltip, cell }) => (
    <td
      key={title}
      className={className}
      data-label={unlabelled ? undefined : title}
      data-numeric={numeric ? '' : undefined}
      data-hide-below={hideBelow}
      title={tooltip?.(row)}
    >
      {cell(row)}
    </td>
  ))
}

export interface TableProps {
  /** Accessible name of the table. */
  readonly label: string
  readonly columns: readonly ColumnHeader[]
  /** `<tr>`s of {@link Cells}, or with one `<td data-label="title">` for each column. */
  readonly children: ReactNode
}

/** A table with rows of 40 px. Below a width of 640 px, each row is a card. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div className="table-frame">
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, hidden, numeric, hideBelow }) => (
              <th key={title} scope="col" data-numeric={numeric || undefined} data-hide-below={hideBelow}>
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
