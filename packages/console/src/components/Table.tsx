import { type ReactNode, useRef } from 'react'
import styles from './Table.module.css'
import { useOverflow } from './use-overflow.ts'

export interface Column<Row> {
  readonly id: string
  readonly label: string
  /** Hides the label, for a column of buttons; screen readers still announce it. The last one stays in sight. */
  readonly isLabelHidden?: boolean
  /** Numbers are aligned at the end. */
  readonly isNumeric?: boolean
  readonly render: (row: Row) => ReactNode
}

export interface TableProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string
  /** The cells of the first column are the headings of their rows. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Key of the row that is marked, and scrolled into view once it is there. */
  readonly current?: string | undefined
}

/** The browser no longer takes elements that are shown as blocks for parts of a table; with roles, screen readers do. */
const ROLES = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

const CURRENT = {
  'aria-current': 'true',
  ref: (row: HTMLElement | null) => row?.scrollIntoView({ block: 'center' }),
} as const

/**
 * A table of data. In a narrow place each row becomes a block with a label before each value; a table that is wider than
 * its place is scrolled on its own, with the keyboard as well.
 */
export function Table<Row>({ label, columns, rows, keyOf, current }: TableProps<Row>) {
  const frame = useRef<HTMLElement>(null)
  const isScrolled = useOverflow(frame)
  return (
    <section className={styles.frame} ref={frame} aria-label={label} {...(isScrolled && { tabIndex: 0 })}>
      <table className={styles.table} {...ROLES.table}>
        <thead {...ROLES.rowgroup}>
          <tr {...ROLES.row}>
            {columns.map((column) => (
              <th key={column.id} {...ROLES.columnheader} scope="col" className={cellClass(column)}>
                <span className={column.isLabelHidden ? 'visually-hidden' : undefined}>{column.label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.rowgroup}>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...ROLES.row} {...(keyOf(row) === current && CURRENT)}>
              {columns.map((column, index) => (
                <Cell key={column.id} column={column} isHeading={index === 0}>
                  {column.render(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface CellProps {
  readonly column: Omit<Column<never>, 'render'>
  readonly isHeading: boolean
  readonly children: ReactNode
}

function Cell({ column, isHeading, children }: CellProps) {
  if (isHeading)
    return (
      <th {...ROLES.rowheader} scope="row" className={cellClass(column)}>
        <div>{children}</div>
      </th>
    )
  return (
    <td
      {...ROLES.cell}
      className={cellClass(column)}
      {...(!column.isLabelHidden && { 'data-label': column.label })}
    >
      <div>{children}</div>
    </td>
  )
}

function cellClass({ isNumeric, isLabelHidden }: Omit<Column<never>, 'render'>): string | undefined {
  return isNumeric ? styles.numeric : isLabelHidden ? styles.actions : undefined
}
