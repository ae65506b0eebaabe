import type { ReactNode } from 'react'

interface ColumnHeader {
  readonly title: string
  /** Content of the header instead of the title, such as a checkbox. */
  readonly header?: ReactNode
  /** Makes the title available to screen readers only. */
  readonly hidden?: boolean
  readonly numeric?: boolean
  /**
   * Hides the column if the table is at most this many px wide. The card layout shows every column.
   * Each new width also needs a rule in surfaces.css.
   */
  readonly hideBelow?: 840 | 920 | 1100
}

/** A column with its header and cells. */
export interface Column<Row> extends ColumnHeader {
  /** Omits the title from the cell in the card layout. */
  readonly unlabelled?: boolean
  readonly className?: string
  readonly tooltip?: (row: Row) => string
  readonly cell: (row: Row) => ReactNode
}

/** The cells of a row, in column order. */
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

interface TableProps {
  /** Accessible name of the table. */
  readonly label: string
  readonly columns: readonly ColumnHeader[]
  /** `<tr>` elements that contain {@link Cells} or one `<td data-label="title">` per column. */
  readonly children: ReactNode
}

/** A table with 40 px rows. At a width of 640 px or less, each row is a card. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div className="table-frame">
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, header, hidden, numeric, hideBelow }) => (
              <th key={title} scope="col" data-numeric={numeric || undefined} data-hide-below={hideBelow}>
                {header ?? (hidden ? <span className="sr-only">{title}</span> : title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
