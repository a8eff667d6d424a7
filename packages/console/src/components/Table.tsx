import type { ReactNode } from 'react'
import styles from './Table.module.css'

export interface Column<Row> {
  readonly id: string
  readonly label: string
  /** Hides the label, for a column of buttons; screen readers still announce it. */
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
}

/** A table of data. Where it is wider than the page, it is scrolled on its own, with the keyboard as well. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section className={styles.frame} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ id, label: heading, isLabelHidden, isNumeric }) => (
              <th key={id} scope="col" className={isNumeric ? styles.numeric : undefined}>
                <span className={isLabelHidden ? 'visually-hidden' : undefined}>{heading}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ id, isNumeric, render }, index) =>
                index === 0 ? (
                  <th key={id} scope="row">
                    {render(row)}
                  </th>
                ) : (
                  <td key={id} className={isNumeric ? styles.numeric : undefined}>
                    {render(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
